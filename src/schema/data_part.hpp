// The parts of a data set that comes in files. The training file has the rows for training and for
// validation; the test file has the rows for testing.
#pragma once

#include "schema/closed_set.hpp"

#include <array>
#include <cstdint>

namespace mpsbench::schema {

enum class DataPart { train, validation, test };

struct DataPartRow {
  DataPart value;
  std::string_view name;
};

template <>
struct ClosedSet<DataPart> {
  static constexpr const char* kWhat = "part";
  static constexpr std::array kRows{DataPartRow{DataPart::train, "train"},
                                    DataPartRow{DataPart::validation, "validation"},
                                    DataPartRow{DataPart::test, "test"}};
};
static_assert(is_whole<DataPart>());

struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const RowRange&) const = default;
};

// Returns the range of PART in its file, which has ROWS rows. The split is the one of the articles: the first
// floor(0.9 ROWS) rows of the training file are for training and the rest for validation. All rows of the
// test file are for testing.
[[nodiscard]] RowRange rows_of(DataPart part, std::int64_t rows);

}  // namespace mpsbench::schema
