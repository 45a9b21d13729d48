// The synthetic data set: one seeded batch that stays on the device and is used in every step.
#pragma once

#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace mpsbench::data {

struct Batch {
  std::vector<at::Tensor> inputs;  // in the plan's order
  at::Tensor target;
};

// Returns the first COUNT rows of BATCH, or all if it has fewer. They share its memory.
[[nodiscard]] Batch first_rows(const Batch& batch, std::int64_t count);

[[nodiscard]] Batch on_cpu(const Batch& batch);

// Returns a copy with fp64 instead of fp32. Whole numbers stay.
[[nodiscard]] Batch in_fp64(const Batch& batch);

// Which part of a batch a process gets: part NUMBER, from 0, of COUNT equal parts.
struct BatchPart {
  std::int64_t number = 0;
  std::int64_t count = 1;
};

// Draws the batch on the CPU, so that a seed gives the same batch on every device. The plan's batch is one
// PART of what is drawn, so that several processes together get the rows that one would get with the whole
// batch.
[[nodiscard]] Batch make_synthetic_batch(const schema::NetworkPlan& plan, std::int64_t seed, const c10::Device& device,
                                         const BatchPart& part = {});

}  // namespace mpsbench::data
