// The device's memory. The host gets addresses that it cannot read or write: only the queue can access the
// bytes.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/Storage.h>

#include <cstddef>
#include <memory>

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

// A tensor's memory for the host: an address on the device, and the bytes that belong to it.
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

// Returns the bytes of STORAGE, which must be on the device. Returns null if it has none.
[[nodiscard]] std::shared_ptr<HostBytes> bytes_of(const c10::Storage& storage);

// The deleter of every buffer, by which the stand-in also recognises its buffers.
void free_buffer(void* buffer);

}  // namespace mpsbench::standin
