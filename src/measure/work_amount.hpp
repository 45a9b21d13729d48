// How much work a launch times.
#pragma once

#include "schema/case_spec.hpp"

#include <cstdint>
#include <optional>

namespace mpsbench::measure {

struct WorkAmount {
  std::optional<std::int64_t> epochs;       // whole epochs to measure; null: steps until the stopping rule is met
  std::int64_t steps_per_epoch = 0;         // used with epochs
  std::int64_t rows_per_epoch = 0;          // used with epochs: rows of the data set that an epoch covers
  bool last_is_smaller = false;             // an epoch ends with a batch that is not full
  std::optional<std::int64_t> iterations;   // steps of one loop, without epochs
  std::optional<std::int64_t> max_batches;  // most timed steps, without either
  // The published loop needs epochs or iterations.
  schema::LoopProtocol loop = schema::LoopProtocol::standard;
  bool reads_losses = false;  // after every step, as the published scripts do

  // Whether the amount of work is given, and the time is not limited.
  [[nodiscard]] bool is_counted() const { return epochs || iterations; }
  // Whether a loop of STEPS steps ends with one that has fewer rows. It has a window of its own, which counts
  // in the loop's time but is no sample. Without other steps it is a sample like any.
  [[nodiscard]] bool has_smaller_step(std::int64_t steps) const { return last_is_smaller && steps > 1; }
};

// An epoch has schema::steps_per_epoch() steps, but at most max_batches. Unless the last batch is kept, all
// batches are full: instead of a last batch that is not full, inference takes the first batch of the next
// epoch. Throws Error(usage) if the case has epochs but not enough rows: training needs a
// full batch, inference a row.
[[nodiscard]] WorkAmount work_amount(const schema::CaseSpec& spec);

}  // namespace mpsbench::measure
