// Which rows of a training file train and which validate.
#pragma once

#include <cstdint>

namespace mpsbench::dataset {

struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const RowRange&) const = default;
};

// The articles' split by index: the first floor(0.9 ROWS) train, the others validate.
[[nodiscard]] RowRange training_rows(std::int64_t rows);
[[nodiscard]] RowRange validation_rows(std::int64_t rows);

}  // namespace mpsbench::dataset
