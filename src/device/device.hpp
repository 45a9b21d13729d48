// The device a launch runs on, opened by name.
#pragma once

#include <c10/core/Device.h>

#include <string>

namespace mpsbench::device {

class Device {
 public:
  // "cpu". Throws Error(no_device) for a device that cannot be measured, with the reason and the cure.
  static Device open(const std::string& name);

  [[nodiscard]] const c10::Device& torch() const { return torch_; }
  // True when an operation may still run after its call has returned.
  [[nodiscard]] bool asynchronous() const { return !torch_.is_cpu(); }
  // Returns when everything queued is done.
  void synchronize() const;

 private:
  explicit Device(c10::Device torch) : torch_(torch) {}

  c10::Device torch_;
};

}  // namespace mpsbench::device
