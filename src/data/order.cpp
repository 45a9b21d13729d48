#include "data/order.hpp"

#include <algorithm>

namespace mpsbench::data {

pipeline::BatchOrder order_for(std::int64_t rows, Part part, const DataOptions& options) {
  pipeline::BatchOrder order{.rows = {0, rows},
                             .batch_size = options.batch_size,
                             .drop_last = part == Part::train || options.whole_batches,
                             .shuffle = part == Part::train && !options.in_order,
                             .seed = static_cast<std::uint64_t>(options.seed)};
  if (part == Part::train) order.rows = dataset::training_rows(rows);
  if (part == Part::validation) order.rows = dataset::validation_rows(rows);
  if (options.rows) order.rows.count = std::min(order.rows.count, *options.rows);
  return order;
}

}  // namespace mpsbench::data
