// Helpers for all harnesses. A reader may refuse an input with base::Error. Any other exception ends the
// harness, like a crash.
#pragma once

#include "base/error.hpp"
#include "base/log.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mpsbench::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Calls READ, which must succeed or say what is wrong with the file.
template <typename Read>
void try_to(Read&& read) {
  try {
    read();
  } catch (const base::Error& error) {
    const bool expected = error.kind() == base::ErrorKind::usage || error.kind() == base::ErrorKind::not_comparable;
    if (!expected) throw;
  }
}

// A file in memory, for readers that need a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, text.data(), text.size()) != std::ssize(text))
      throw std::runtime_error("cannot make a file in memory");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace mpsbench::fuzz
