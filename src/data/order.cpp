#include "data/order.hpp"

#include <algorithm>

namespace mpsbench::data {

pipeline::BatchOrder order_for(std::int64_t rows, DataPart part, const DataOptions& options) {
  pipeline::BatchOrder order{.rows = schema::rows_of(part, rows),
                             .batch_size = options.batch_size,
                             .drop_last = options.drop_last.value_or(part == DataPart::train),
                             .shuffle = part == DataPart::train && !options.in_order,
                             .seed = static_cast<std::uint64_t>(options.seed),
                             .rank = options.share.number,
                             .ranks = options.share.count};
  if (options.rows) order.rows.count = std::min(order.rows.count, *options.rows);
  return order;
}

}  // namespace mpsbench::data
