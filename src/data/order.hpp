// Which rows of a file form which batch.
#pragma once

#include "data/batches.hpp"
#include "pipeline/order.hpp"

namespace mpsbench::data {

// Returns which rows of PART form each batch. ROWS is the number of rows in the file that contains PART.
[[nodiscard]] pipeline::BatchOrder order_for(std::int64_t rows, DataPart part, const DataOptions& options);

}  // namespace mpsbench::data
