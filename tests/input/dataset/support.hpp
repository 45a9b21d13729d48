// Makes bytes in the formats of the data sets. They are valid unless a test damages them.
#pragma once

#include "input/dataset/data_file.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::tests {

inline std::string text_of(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

inline std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> static_cast<unsigned>(shift));
  return bytes;
}

inline std::string idx(const std::vector<std::uint32_t>& sizes, const std::string& values) {
  std::string bytes = big_endian(0x800 + static_cast<std::uint32_t>(sizes.size()));
  for (const std::uint32_t size : sizes) bytes += big_endian(size);
  return bytes + values;
}

// Record i has the label (FIRST + i) % 10, and each of its pixels is that label plus 100.
inline std::string cifar_file(int rows, int first = 0) {
  std::string bytes;
  for (int row = 0; row < rows; ++row) {
    const int label = (first + row) % 10;
    bytes += static_cast<char>(label);
    bytes += std::string(3072, static_cast<char>(100 + label));
  }
  return bytes;
}

}  // namespace mpsbench::tests
