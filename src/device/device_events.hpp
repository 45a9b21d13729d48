// Work in a device's queue: times between its own events, and an operation for the synchronisation self-test.
#pragma once

#include "device/device.hpp"
#include "measure/step.hpp"
#include "measure/timer.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

#include <vector>

namespace mpsbench::device {

// Measures times between places in a device's queue with the device's own events.
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

// The operation of the synchronisation self-test: a matrix product that takes far longer to compute than to
// queue.
class MatmulOperation final : public measure::Step {
 public:
  explicit MatmulOperation(const Device& device);

  void run() override;
  // Returns an element of the result. Reading it waits until the product is done.
  std::optional<double> loss() override;

 private:
  at::Tensor left_, right_, product_;
};

}  // namespace mpsbench::device
