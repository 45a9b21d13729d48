// The data sets that mpsbench reads, and their files as they were published. scripts/mpsbench_py/datasets.py
// has the same facts with the addresses; a test holds the two against each other.
#pragma once

#include "dataset/image_set.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace mpsbench::dataset {

struct PublishedFile {
  std::string_view name;
  std::uint64_t bytes;
  std::string_view sha256;
};

struct DatasetInfo {
  std::string_view name;
  std::int64_t train_rows;
  std::int64_t test_rows;
  Split inference;  // the rows that inference is timed on, in order; training rows are without those for
                    // validation
  std::string_view description;
  std::span<const PublishedFile> files;
};

[[nodiscard]] std::span<const DatasetInfo> datasets();

// NAME must be one of them.
[[nodiscard]] const DatasetInfo& dataset_named(std::string_view name);

// Null for a name that no published file has.
[[nodiscard]] const PublishedFile* published_file(std::string_view name);

}  // namespace mpsbench::dataset
