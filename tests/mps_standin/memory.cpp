#include "memory.hpp"

#include "settings.hpp"

#include <c10/util/Exception.h>
#include <sys/mman.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

namespace mpsbench::standin {

using c10::CachingAllocator::format_size;

namespace {

constexpr double kDefaultRatio = 1.7;  // MPS's own

double first_ratio() {
  const char* text = std::getenv("PYTORCH_MPS_HIGH_WATERMARK_RATIO");
  return text == nullptr ? kDefaultRatio : std::atof(text);
}

std::size_t limit_bytes(double ratio) {
  if (ratio <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(ratio * static_cast<double>(settings().memory_bytes));
}

constexpr std::size_t kAlignment = 64;

// Reserves pages that nobody can read or write.
void* reserve_addresses(std::size_t size) {
  void* address = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TORCH_CHECK(address != MAP_FAILED, "the stand-in cannot reserve addresses");
  return address;
}

// A tensor's memory for the host: an address on the device, and the bytes that belong to it.
class Buffer {
 public:
  explicit Buffer(std::size_t size)
      : size_(size), address_(reserve_addresses(size)), bytes_(std::make_shared<HostBytes>(size)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { munmap(address_, size_); }

  [[nodiscard]] void* address() const { return address_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::shared_ptr<HostBytes>& bytes() const { return bytes_; }

 private:
  std::size_t size_;
  void* address_;
  std::shared_ptr<HostBytes> bytes_;
};

// The deleter of every buffer, by which the stand-in also recognises its buffers.
void free_buffer(void* buffer) {
  auto* freed = static_cast<Buffer*>(buffer);
  allocator().note_freed(freed->size());
  delete freed;
}

}  // namespace

HostBytes::HostBytes(std::size_t size)
    : data_(std::aligned_alloc(kAlignment, (size + kAlignment - 1) / kAlignment * kAlignment)) {
  if (data_ == nullptr) throw std::bad_alloc();
}

HostBytes::~HostBytes() {
  std::free(data_);
}

std::shared_ptr<HostBytes> bytes_of(const c10::Storage& storage) {
  const c10::DataPtr& data = storage.data_ptr();
  if (data.get() == nullptr) return nullptr;
  const auto* buffer = data.cast_context<Buffer>(&free_buffer);
  TORCH_INTERNAL_ASSERT(buffer != nullptr, "this memory does not belong to the stand-in");
  return buffer->bytes();
}

MpsAllocator::MpsAllocator() : ratio_(first_ratio()) {}

void MpsAllocator::require_room(std::size_t size) const {
  TORCH_CHECK(size < settings().largest_buffer_bytes, "Invalid buffer size: ", format_size(size));
  const std::size_t most = limit_bytes(ratio_);
  const auto allocated = static_cast<std::size_t>(allocated_.current);
  TORCH_CHECK(size <= most && allocated <= most - size,
              "MPS backend out of memory (MPS allocated: ", format_size(allocated),
              ", other allocations: ", format_size(0), ", max allowed: ", format_size(most), "). Tried to allocate ",
              format_size(size),
              " on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory "
              "allocations (may cause system failure).");
}

c10::DataPtr MpsAllocator::allocate(std::size_t size) {
  const c10::Device device(c10::kMPS, 0);
  if (size == 0) return {nullptr, device};
  {
    const std::lock_guard lock(mutex_);
    require_room(size);
    allocated_.increase(size);
    if (allocated_.current > reserved_.current)
      reserved_.increase(static_cast<std::size_t>(allocated_.current - reserved_.current));
  }
  try {
    auto buffer = std::make_unique<Buffer>(size);
    void* address = buffer->address();
    return {address, buffer.release(), &free_buffer, device};
  } catch (...) {
    note_freed(size);
    throw;
  }
}

void MpsAllocator::copy_data(void*, const void*, std::size_t) const {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "the stand-in cannot copy memory without a tensor");
}

void MpsAllocator::emptyCache(c10::MempoolId_t) {
  const std::lock_guard lock(mutex_);
  reserved_.decrease(static_cast<std::size_t>(reserved_.current - allocated_.current));
}

c10::CachingDeviceAllocator::DeviceStats MpsAllocator::getDeviceStats(c10::DeviceIndex) {
  const std::lock_guard lock(mutex_);
  c10::CachingDeviceAllocator::DeviceStats stats;
  stats.allocated_bytes[0] = allocated_;
  stats.reserved_bytes[0] = reserved_;
  return stats;
}

void MpsAllocator::resetAccumulatedStats(c10::DeviceIndex) {
  const std::lock_guard lock(mutex_);
  allocated_.reset_accumulated();
  reserved_.reset_accumulated();
}

void MpsAllocator::resetPeakStats(c10::DeviceIndex) {
  const std::lock_guard lock(mutex_);
  allocated_.reset_peak();
  reserved_.reset_peak();
}

std::pair<std::size_t, std::size_t> MpsAllocator::getMemoryInfo(c10::DeviceIndex) {
  const std::size_t total = settings().memory_bytes;
  const std::size_t used = reserved_bytes();
  return {used < total ? total - used : 0, total};
}

void MpsAllocator::limit(double ratio) {
  const std::lock_guard lock(mutex_);
  ratio_ = ratio;
}

std::size_t MpsAllocator::allocated_bytes() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(allocated_.current);
}

std::size_t MpsAllocator::reserved_bytes() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(reserved_.current);
}

void MpsAllocator::note_freed(std::size_t size) {
  const std::lock_guard lock(mutex_);
  allocated_.decrease(size);
}

MpsAllocator& allocator() {
  static MpsAllocator* one = new MpsAllocator;  // never deleted, because tensors may live longer than static objects
  return *one;
}

REGISTER_ALLOCATOR(c10::DeviceType::MPS, &allocator())

}  // namespace mpsbench::standin
