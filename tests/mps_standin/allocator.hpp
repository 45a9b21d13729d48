// Imitates MPS's allocator: counts bytes, enforces a limit, and refuses with MPS's own messages.
#pragma once

#include <c10/core/CachingDeviceAllocator.h>

#include <cstddef>
#include <mutex>
#include <utility>

namespace mpsbench::standin {

class MpsAllocator final : public c10::DeviceAllocator {
 public:
  MpsAllocator();

  c10::DataPtr allocate(std::size_t size) override;
  void copy_data(void* to, const void* from, std::size_t size) const override;

  bool initialized() override { return true; }
  // Returns reserved memory that is not in use.
  void emptyCache(c10::MempoolId_t pool) override;
  void recordStream(const c10::DataPtr&, c10::Stream) override {}
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex device) override;
  void resetAccumulatedStats(c10::DeviceIndex device) override;
  void resetPeakStats(c10::DeviceIndex device) override;
  // Free and total bytes.
  std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex device) override;

  // From now on, the limit is RATIO times the recommended working set. Zero means no limit.
  void limit(double ratio);
  [[nodiscard]] std::size_t allocated_bytes() const;
  [[nodiscard]] std::size_t reserved_bytes() const;
  void note_freed(std::size_t size);

 private:
  void require_room(std::size_t size) const;

  mutable std::mutex mutex_;
  c10::CachingAllocator::Stat allocated_, reserved_;
  double ratio_;
};

[[nodiscard]] MpsAllocator& allocator();

}  // namespace mpsbench::standin
