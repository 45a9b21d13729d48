#include "device/device_events.hpp"

#include <ATen/ATen.h>
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

MatmulOperation::MatmulOperation(const Device& device) {
  constexpr std::int64_t kSize = 2048;
  const at::TensorOptions options = at::TensorOptions().dtype(at::kFloat).device(device.torch());
  left_ = at::ones({kSize, kSize}, options);
  right_ = at::ones({kSize, kSize}, options);
  product_ = at::empty({kSize, kSize}, options);
}

void MatmulOperation::run() {
  at::mm_out(product_, left_, right_);
}

std::optional<double> MatmulOperation::loss() {
  return product_.select(0, 0).select(0, 0).item<double>();
}

}  // namespace mpsbench::device
