// The reference clock of any device: the host's steady clock, read after the device was synchronised.
#pragma once

#include "device/device.hpp"
#include "device/device_events.hpp"
#include "measure/host_timer.hpp"

#include <optional>

namespace mpsbench::worker {

class DeviceTimer final : public measure::Timer {
 public:
  explicit DeviceTimer(const device::Device& device) : device_(&device) {
    if (device.capabilities().events) events_.emplace(device);
  }

  double now_seconds() override { return host_.now_seconds(); }
  void synchronize() override { device_->synchronize(); }
  [[nodiscard]] bool asynchronous() const override { return device_->asynchronous(); }
  [[nodiscard]] measure::EventClock* events() override { return events_ ? &*events_ : nullptr; }
  [[nodiscard]] double clock_cost_seconds() const override { return host_.clock_cost_seconds(); }

 private:
  const device::Device* device_;
  measure::HostTimer host_;
  std::optional<device::DeviceEvents> events_;
};

}  // namespace mpsbench::worker
