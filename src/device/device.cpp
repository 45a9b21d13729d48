#include "device/device.hpp"

#include "base/error.hpp"

#include <c10/core/impl/VirtualGuardImpl.h>

namespace mpsbench::device {

Device Device::open(const std::string& name) {
  if (name == "cpu") return Device(c10::Device(c10::kCPU));
  throw base::Error(base::ErrorKind::no_device,
                    "device '" + name + "' cannot be measured by this version; use cpu");
}

void Device::synchronize() const {
  // The CPU's guard has nothing to wait for and throws when asked to.
  if (!asynchronous()) return;
  const c10::DeviceIndex index = torch_.has_index() ? torch_.index() : c10::DeviceIndex{0};
  c10::impl::VirtualGuardImpl(torch_.type()).synchronizeDevice(index);
}

}  // namespace mpsbench::device
