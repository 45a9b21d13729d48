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

// Draws the batch on the CPU, so that a seed gives the same batch on every device.
[[nodiscard]] Batch make_synthetic_batch(const schema::NetworkPlan& plan, std::int64_t seed,
                                         const c10::Device& device);

}  // namespace mpsbench::data
