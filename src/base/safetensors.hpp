// The header of a safetensors file: names, types, shapes and places of its tensors. Reading trusts nothing.
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

// Bytes of one element, 0 for a type that safetensors does not know.
[[nodiscard]] std::uint64_t dtype_bytes(const std::string& dtype);

// Throws Error(usage) for a truncated file or one whose header is not sound.
[[nodiscard]] SafetensorsHeader read_safetensors_header(const std::filesystem::path& path);

// The bytes before the data: length and JSON, padded to 8 bytes.
[[nodiscard]] std::string make_safetensors_header(const std::map<std::string, TensorEntry>& tensors);

}  // namespace mpsbench::base
