// MNIST's file format, "idx" (yann.lecun.com/exdb/mnist): one-byte integers after a header of sizes.
#pragma once

#include "dataset/shared_bytes.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace mpsbench::dataset {

struct IdxData {
  std::vector<std::int64_t> sizes;  // the number of rows comes first
  SharedBytes values;               // row-major; their number is the product of the sizes
};

// FILE, plain or gzipped, must have DIMENSIONS (1 to 3) sizes, none of them 0, and exactly as many values as
// the sizes imply. Otherwise throws Error(usage). Memory never grows with a size that a header merely claims.
[[nodiscard]] IdxData read_idx(const std::filesystem::path& file, std::size_t dimensions);

}  // namespace mpsbench::dataset
