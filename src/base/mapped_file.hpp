// A whole file as text without reading it into memory first: the system loads pages when they are accessed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace mpsbench::base {

// Whether a file that begins with START is a pointer that Git LFS left in place of the file's content.
[[nodiscard]] bool is_lfs_pointer(std::string_view start);
inline constexpr const char* kLfsPointer = "a pointer of Git LFS, not the file itself; run git lfs pull in its folder";

class MappedFile {
 public:
  // Throws Error(usage) if PATH is not a regular file or cannot be read. The file's length must not change
  // while it is mapped.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view text() const { return {static_cast<const char*>(address_), length_}; }

  // Lets the system drop the pages before OFFSET from memory. They are loaded again if they are accessed.
  void drop_before(std::size_t offset);

 private:
  void* address_ = nullptr;
  std::size_t length_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace mpsbench::base
