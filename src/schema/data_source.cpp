#include "schema/data_source.hpp"

namespace mpsbench::schema {

RowRange rows_of(DataPart part, std::int64_t rows) {
  if (part == DataPart::test) return {0, rows};
  const std::int64_t trained = rows - (rows + 9) / 10;
  return part == DataPart::train ? RowRange{0, trained} : RowRange{trained, rows - trained};
}

}  // namespace mpsbench::schema
