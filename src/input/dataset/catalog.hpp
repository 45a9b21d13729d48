// The data sets that mpsbench reads, and their files as they were published, some of them packed.
// scripts/mpsbench_py/datasets.py has the same facts, with the addresses; a test compares the two.
#pragma once

#include "schema/data_source.hpp"

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
  schema::Dataset dataset;
  std::int64_t train_rows;
  std::int64_t test_rows;
  schema::DataPart inference;  // the rows on which inference is timed, in order
  std::string_view description;
  std::span<const PublishedFile> files;
};

// Returns all data sets, in the order of the enum.
[[nodiscard]] std::span<const DatasetInfo> datasets();

// DATASET must not be synthetic.
[[nodiscard]] const DatasetInfo& info_of(schema::Dataset dataset);

// Returns null if no published file has this name.
[[nodiscard]] const PublishedFile* published_file(std::string_view name);

}  // namespace mpsbench::dataset
