#include "device/device_events.hpp"

#include <c10/core/impl/VirtualGuardImpl.h>

namespace mpsbench::device {

DeviceEvents::DeviceEvents(const Device& device) : device_(device.torch()) {}

void DeviceEvents::mark() {
  if (marks_ == events_.size()) events_.emplace_back(device_.type(), c10::EventFlag::BACKEND_DEFAULT);
  events_[marks_++].record(c10::impl::VirtualGuardImpl(device_.type()).getStream(device_));
}

std::vector<double> DeviceEvents::take_seconds() {
  constexpr double kMillisecond = 1e-3;
  std::vector<double> seconds;
  if (marks_ > 0) events_[marks_ - 1].synchronize();
  for (std::size_t i = 1; i < marks_; ++i) {
    seconds.push_back(events_[i - 1].elapsedTime(events_[i]) * kMillisecond);
  }
  marks_ = 0;
  return seconds;
}

}  // namespace mpsbench::device
