// The device's memory. The host gets addresses that it cannot read or write: only the queue can access the
// bytes.
#pragma once

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Storage.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

namespace mpsbench::standin {

// The bytes that the queue reads and writes. They live as long as a queued operator needs them, even if the
// host has freed the tensor.
class HostBytes {
 public:
  explicit HostBytes(std::size_t size);
  HostBytes(const HostBytes&) = delete;
  HostBytes& operator=(const HostBytes&) = delete;
  ~HostBytes();

  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_;
};

// Returns the bytes of STORAGE, which must be on the device. Returns null if it has none.
[[nodiscard]] std::shared_ptr<HostBytes> bytes_of(const c10::Storage& storage);

// Imitates MPS's allocator: counts bytes, enforces a limit, and refuses with MPS's own messages.
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
