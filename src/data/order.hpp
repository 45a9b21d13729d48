// Which rows of a file's make which batch.
#pragma once

#include "data/batches.hpp"
#include "pipeline/order.hpp"

namespace mpsbench::data {

// ROWS: of the file that PART is in.
[[nodiscard]] pipeline::BatchOrder order_for(std::int64_t rows, DataPart part, const DataOptions& options);

}  // namespace mpsbench::data
