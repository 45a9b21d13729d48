// The reference clock of any device: the host's steady clock around a device synchronise.
#pragma once

#include "device/device.hpp"
#include "measure/host_timer.hpp"

namespace mpsbench::worker {

class DeviceTimer final : public measure::Timer {
 public:
  explicit DeviceTimer(const device::Device& device) : device_(&device) {}

  double now_seconds() override { return host_.now_seconds(); }
  void synchronize() override { device_->synchronize(); }
  [[nodiscard]] bool asynchronous() const override { return device_->asynchronous(); }
  [[nodiscard]] double clock_cost_seconds() const override { return host_.clock_cost_seconds(); }

 private:
  const device::Device* device_;
  measure::HostTimer host_;
};

}  // namespace mpsbench::worker
