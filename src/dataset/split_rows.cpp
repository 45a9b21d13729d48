#include "dataset/split_rows.hpp"

namespace mpsbench::dataset {

RowRange training_rows(std::int64_t rows) {
  return {0, rows - (rows + 9) / 10};
}

RowRange validation_rows(std::int64_t rows) {
  const std::int64_t trained = training_rows(rows).count;
  return {trained, rows - trained};
}

}  // namespace mpsbench::dataset
