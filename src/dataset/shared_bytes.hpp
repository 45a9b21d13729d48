// The bytes of a data file, mapped or unpacked into memory. Copies share them; they are freed with the last
// copy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace mpsbench::dataset {

struct SharedBytes {
  std::shared_ptr<const void> owner;
  std::span<const std::uint8_t> view;

  // Returns the bytes from OFFSET on, with the same owner.
  [[nodiscard]] SharedBytes from(std::size_t offset) const { return {owner, view.subspan(offset)}; }
};

[[nodiscard]] SharedBytes share(std::vector<std::uint8_t> bytes);

// Maps PATH read-only, so its pages need no memory of their own. Throws Error(usage) if it is not a regular
// file, is empty or cannot be read. The file's length must not change while it is mapped.
[[nodiscard]] SharedBytes map_file(const std::filesystem::path& path);

}  // namespace mpsbench::dataset
