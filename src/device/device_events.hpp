// Measures times between places in a device's queue with the device's own events.
#pragma once

#include "device/device.hpp"
#include "measure/event_clock.hpp"

#include <c10/core/Event.h>

#include <vector>

namespace mpsbench::device {

class DeviceEvents final : public measure::EventClock {
 public:
  // DEVICE must have events.
  explicit DeviceEvents(const Device& device);

  void mark() override;
  std::vector<double> take_seconds() override;

 private:
  c10::Device device_;
  std::vector<c10::Event> events_;  // reused: creating an event costs more than recording it
  std::size_t marks_ = 0;
};

}  // namespace mpsbench::device
