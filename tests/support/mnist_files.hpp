// A folder with MNIST's four files, of any size. Row i has the label i % 10; its pixels are 25 times the
// label.
#pragma once

#include "support/scratch.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::tests {

inline std::string idx_file(const std::vector<std::uint32_t>& sizes, const std::string& values) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> static_cast<unsigned>(shift));
  }
  return bytes + values;
}

inline void write_mnist(const Scratch& folder, std::uint32_t training_rows, std::uint32_t test_rows) {
  constexpr std::uint32_t kSide = 28;
  const auto write = [&](const std::string& stem, std::uint32_t rows) {
    std::string labels;
    std::string pixels;
    for (std::uint32_t row = 0; row < rows; ++row) {
      labels += static_cast<char>(row % 10);
      pixels += std::string(std::size_t{kSide} * kSide, static_cast<char>(row % 10 * 25));
    }
    folder.write(stem + "-images-idx3-ubyte", idx_file({rows, kSide, kSide}, pixels));
    folder.write(stem + "-labels-idx1-ubyte", idx_file({rows}, labels));
  };
  write("train", training_rows);
  write("t10k", test_rows);
}

}  // namespace mpsbench::tests
