// Bytes of a data file, mapped or unpacked into memory. Copies share them; the last one lets them go.
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

  // The same owner, from OFFSET on.
  [[nodiscard]] SharedBytes from(std::size_t offset) const { return {owner, view.subspan(offset)}; }
};

[[nodiscard]] SharedBytes share(std::vector<std::uint8_t> bytes);

// Read only, so its pages cost no memory of the program's own. Throws Error(usage) for what is not a regular
// file, is empty or cannot be read. The file must keep its length while it is mapped.
[[nodiscard]] SharedBytes map_file(const std::filesystem::path& path);

}  // namespace mpsbench::dataset
