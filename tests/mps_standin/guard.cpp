// LibTorch's guard for the device: there is one device with one stream. There are no events: using one
// throws.
#include "queue.hpp"

#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace mpsbench::standin {
namespace {

class MpsGuard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return c10::kMPS; }
  c10::Device exchangeDevice(c10::Device device) const override {
    setDevice(device);
    return getDevice();
  }
  c10::Device getDevice() const override { return {c10::kMPS, 0}; }
  void setDevice(c10::Device device) const override {
    TORCH_CHECK(device.is_mps() && device.index() <= 0, "there is no device ", device);
  }
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device) const override { return stream(); }
  c10::Stream getDefaultStream(c10::Device) const override { return stream(); }
  c10::Stream exchangeStream(c10::Stream) const override { return stream(); }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
  void synchronizeStream(const c10::Stream&) const override { Queue::instance().synchronise(); }
  void synchronizeDevice(c10::DeviceIndex) const override { Queue::instance().synchronise(); }

 private:
  c10::Stream stream() const { return c10::Stream(c10::Stream::DEFAULT, getDevice()); }
};

const c10::impl::DeviceGuardImplRegistrar registered(c10::kMPS, new MpsGuard);

}  // namespace
}  // namespace mpsbench::standin
