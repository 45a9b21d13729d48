// The functions and the guard through which LibTorch uses MPS.
#include "memory.hpp"
#include "queue.hpp"
#include "settings.hpp"
#include "tensors.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/MPSHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <utility>

namespace mpsbench::standin {

namespace {

// There is one device with one stream. There are no events: using one throws.
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

class MpsHooks final : public at::MPSHooksInterface {
 public:
  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasMPS() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  bool isOnMacOSorNewer(unsigned major, unsigned minor) const override {
    return std::pair(kMacosMajor, kMacosMinor) >= std::pair(major, minor);
  }
  c10::DeviceIndex deviceCount() const override { return 1; }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex) const override { return 0; }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex) const override { return 0; }
  void setCurrentDevice(c10::DeviceIndex) const override {}

  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override {
    Queue::instance().run([] {});  // wait until all queued operators have drawn their random numbers
    return default_generator();
  }
  at::Generator getNewGenerator(c10::DeviceIndex) const override { return at::detail::createCPUGenerator(); }

  c10::Allocator* getMPSDeviceAllocator() const override { return &allocator(); }
  void deviceSynchronize() const override { Queue::instance().synchronise(); }
  void commitStream() const override {}
  void emptyCache() const override { allocator().emptyCache({}); }
  std::size_t getCurrentAllocatedMemory() const override { return allocator().allocated_bytes(); }
  std::size_t getDriverAllocatedMemory() const override { return allocator().reserved_bytes(); }
  std::size_t getRecommendedMaxMemory() const override { return settings().memory_bytes; }
  std::size_t getMaxBufferLength() const override { return settings().largest_buffer_bytes; }
  void setMemoryFraction(double ratio) const override { allocator().limit(ratio); }
};

const at::Generator& default_generator() {
  static const at::Generator generator = at::detail::createCPUGenerator();
  return generator;
}

}  // namespace mpsbench::standin

namespace at {

C10_REGISTER_CLASS(MPSHooksRegistry, MPSHooks, mpsbench::standin::MpsHooks)

}  // namespace at
