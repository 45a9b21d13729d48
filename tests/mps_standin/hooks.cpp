#include "hooks.hpp"

#include "allocator.hpp"
#include "queue.hpp"
#include "settings.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/MPSHooksInterface.h>

#include <utility>

namespace mpsbench::standin {

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
