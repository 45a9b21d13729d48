#include "input/data/batches.hpp"

#include "base/error.hpp"
#include "input/data/file_batches.hpp"

#include <utility>

namespace mpsbench::data {

Batch take_batch(Batches& batches) {
  std::optional<Batch> batch = batches.next();
  if (!batch) {
    batches.begin_epoch();
    batch = batches.next();
  }
  if (!batch) throw base::usage_error("the data set has fewer rows than a batch; lower --batch-size");
  return std::move(batch).value();
}

std::unique_ptr<Batches> open_batches(const DataOptions& options, const schema::NetworkPlan& plan, DataPart part) {
  if (row_of(options.dataset).rows == schema::RowKind::texts) return std::make_unique<TextBatches>(options, plan, part);
  return std::make_unique<ImageBatches>(options, plan, part);
}

}  // namespace mpsbench::data
