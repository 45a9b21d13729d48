#include "memory.hpp"

#include "allocator.hpp"

#include <c10/util/Exception.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace mpsbench::standin {
namespace {

constexpr std::size_t kAlignment = 64;

// Reserves pages that nobody can read or write.
void* reserve_addresses(std::size_t size) {
  void* address = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TORCH_CHECK(address != MAP_FAILED, "the stand-in cannot reserve addresses");
  return address;
}

}  // namespace

HostBytes::HostBytes(std::size_t size)
    : data_(std::aligned_alloc(kAlignment, (size + kAlignment - 1) / kAlignment * kAlignment)) {
  if (data_ == nullptr) throw std::bad_alloc();
}

HostBytes::~HostBytes() {
  std::free(data_);
}

Buffer::Buffer(std::size_t size)
    : size_(size), address_(reserve_addresses(size)), bytes_(std::make_shared<HostBytes>(size)) {}

Buffer::~Buffer() {
  munmap(address_, size_);
}

std::shared_ptr<HostBytes> bytes_of(const c10::Storage& storage) {
  const c10::DataPtr& data = storage.data_ptr();
  if (data.get() == nullptr) return nullptr;
  const auto* buffer = data.cast_context<Buffer>(&free_buffer);
  TORCH_INTERNAL_ASSERT(buffer != nullptr, "this memory does not belong to the stand-in");
  return buffer->bytes();
}

void free_buffer(void* buffer) {
  auto* freed = static_cast<Buffer*>(buffer);
  allocator().note_freed(freed->size());
  delete freed;
}

}  // namespace mpsbench::standin
