// How much work a launch has to time.
#pragma once

#include "schema/case_spec.hpp"

#include <cstdint>
#include <optional>

namespace mpsbench::measure {

struct WorkAmount {
  std::optional<std::int64_t> epochs;  // whole epochs to measure; null: steps until the stopping rule is met
  std::int64_t steps_per_epoch = 0;    // used with epochs
  std::int64_t rows_per_epoch = 0;     // likewise: rows of the data set that an epoch covers
  std::optional<std::int64_t> iterations;   // steps of one loop, without epochs
  std::optional<std::int64_t> max_batches;  // most timed steps, without either
  // Published: only with epochs or iterations.
  schema::LoopProtocol loop = schema::LoopProtocol::standard;
  bool reads_losses = false;  // as published, after every step

  // The work is given, and takes the time that it takes.
  [[nodiscard]] bool is_counted() const { return epochs || iterations; }
};

// floor(rows / batch) steps an epoch in training, ceil in inference, cut to max_batches. All are of whole
// batches: in the place of a last one that is not full, inference takes the first of the next epoch. Throws
// Error(usage) when epochs are asked for and the data set has no whole batch to train on, or no row.
[[nodiscard]] WorkAmount work_amount(const schema::CaseSpec& spec);

}  // namespace mpsbench::measure
