// The parts of a data set that files hold: the training file has the rows that train and those that validate,
// the test file the others.
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

// Those of PART among the ROWS of its file. The articles' split by index: of the training file the first
// floor(0.9 ROWS) train, the others validate; the test file is all test.
[[nodiscard]] RowRange rows_of(DataPart part, std::int64_t rows);

}  // namespace mpsbench::schema
