#include "step/batch_source.hpp"

#include "base/error.hpp"

#include <utility>

namespace mpsbench::step {

data::Batch take_batch(const BatchSource& source) {
  std::optional<data::Batch> batch = source.next();
  if (!batch) {
    source.begin_epoch();
    batch = source.next();
  }
  if (!batch) throw base::usage_error("the data set has fewer rows than a batch; lower --batch-size");
  return std::move(batch).value();
}

}  // namespace mpsbench::step
