// MNIST's file format, "idx" (yann.lecun.com/exdb/mnist): whole numbers of one byte behind a header of sizes.
#pragma once

#include "dataset/shared_bytes.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace mpsbench::dataset {

struct IdxData {
  std::vector<std::int64_t> sizes;  // rows first
  SharedBytes values;               // as many as the sizes' product, row-major
};

// FILE, plain or gzipped, must have DIMENSIONS (1 to 3) sizes, none of them 0, and exactly the values that
// they promise. Throws Error(usage) otherwise; memory never grows with what a header only claims.
[[nodiscard]] IdxData read_idx(const std::filesystem::path& file, std::size_t dimensions);

}  // namespace mpsbench::dataset
