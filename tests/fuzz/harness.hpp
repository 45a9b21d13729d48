// What the harnesses share. A reader may refuse an input by base::Error; whatever else it throws ends the
// harness, as a crash does.
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

// READ of a stranger's file: it works or says what is wrong with the file.
template <typename Read>
void try_to(Read&& read) {
  try {
    read();
  } catch (const base::Error& error) {
    const bool expected =
        error.kind() == base::ErrorKind::usage || error.kind() == base::ErrorKind::not_comparable;
    if (!expected) throw;
  }
}

// A file in memory, for readers that take a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, text.data(), text.size()) != std::ssize(text))
      throw std::runtime_error("no file in memory");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace mpsbench::fuzz
