// The header of a safetensors file: the names, types, shapes and positions of its tensors. The reader checks
// everything, because the file may come from anyone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mpsbench::base {

struct TensorEntry {
  std::string dtype;  // "F32", "I64", "BF16", ...
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // bytes from the start of the data part
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::map<std::string, TensorEntry> tensors;
  std::uint64_t data_offset = 0;  // bytes from the start of the file
};

// Throws Error(usage) if the file is truncated or its header is invalid.
[[nodiscard]] SafetensorsHeader read_safetensors_header(const std::filesystem::path& path);

// Returns the bytes before the data: the header's length and its JSON, padded to a multiple of 8 bytes.
[[nodiscard]] std::string make_safetensors_header(const std::map<std::string, TensorEntry>& tensors);

}  // namespace mpsbench::base
