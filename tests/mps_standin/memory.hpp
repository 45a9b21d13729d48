// Memory of the device. The host sees addresses that it cannot read or write: only the queue reaches what is
// there.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/Storage.h>

#include <cstddef>
#include <memory>

namespace mpsbench::standin {

// What the queue reads and writes. It stays while a queued operator needs it, whatever the host has freed.
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

// A tensor's memory as the host knows it: an address of the device, and the bytes behind it.
class Buffer {
 public:
  explicit Buffer(std::size_t size);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  [[nodiscard]] void* address() const { return address_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::shared_ptr<HostBytes>& bytes() const { return bytes_; }

 private:
  std::size_t size_;
  void* address_;
  std::shared_ptr<HostBytes> bytes_;
};

// The bytes behind STORAGE, which is the device's; null when it has none.
[[nodiscard]] std::shared_ptr<HostBytes> bytes_of(const c10::Storage& storage);

// Of every buffer, to know it by.
void free_buffer(void* buffer);

}  // namespace mpsbench::standin
