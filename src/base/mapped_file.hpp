// A whole file as text without reading it into memory: its pages come as they are looked at.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace mpsbench::base {

class MappedFile {
 public:
  // Throws Error(usage) for what is not a regular file or cannot be read. The file must keep its length while
  // it is mapped.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view text() const { return {static_cast<const char*>(address_), length_}; }

  // Lets the pages before OFFSET leave memory; they come back when they are looked at again.
  void drop_before(std::size_t offset);

 private:
  void* address_ = nullptr;
  std::size_t length_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace mpsbench::base
