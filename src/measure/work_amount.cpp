#include "measure/work_amount.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <string>

namespace mpsbench::measure {

WorkAmount work_amount(const schema::CaseSpec& spec) {
  WorkAmount work;
  work.epochs = spec.epochs;
  work.iterations = spec.iterations;
  work.max_batches = spec.max_batches;
  work.loop = spec.loop;
  work.reads_losses = schema::reads_each_loss(spec);
  if (!spec.epochs) return work;
  const std::int64_t steps = schema::steps_per_epoch(spec);
  work.steps_per_epoch = std::min(steps, spec.max_batches.value_or(steps));
  if (work.steps_per_epoch < 1) {
    throw base::usage_error("--epochs: " + std::to_string(spec.rows) + " rows are not enough for one step of " +
                            std::to_string(schema::rows_per_step(spec)) + "; raise --rows or lower --batch-size");
  }
  const bool all_steps = work.steps_per_epoch > spec.rows / schema::rows_per_step(spec);
  work.last_is_smaller = all_steps && spec.last_batch == schema::LastBatch::keep;
  work.rows_per_epoch = all_steps ? spec.rows : work.steps_per_epoch * schema::rows_per_step(spec);
  return work;
}

}  // namespace mpsbench::measure
