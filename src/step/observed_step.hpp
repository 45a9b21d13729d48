// What a step computes on a copy of a network, for comparisons.
#pragma once

#include "measure/step.hpp"
#include "nn/model.hpp"
#include "nn/parameters.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mpsbench::step {

// All tensors are on the CPU in fp32.
struct StepResults {
  at::Tensor output;
  std::optional<double> loss;              // only of training, like all that follows
  std::vector<nn::NamedTensor> gradients;  // of the trainable parameters
  std::vector<nn::NamedTensor> weights;    // the same parameters after the update
  std::int64_t runs = 0;                   // how often the step ran
};

// Makes a step that runs the network that it is given.
using StepMaker = std::function<std::unique_ptr<measure::Step>(nn::Model&)>;

struct Observation {
  bool trains = false;
  double output_scale = 1;                // the network's outputs are multiplied by it, also StepResults::output
  bool may_overflow = false;              // whether a step with infinite gradients is repeated, as loss scaling asks
  std::optional<std::int64_t> runs = {};  // null: once, and before it the engine's preparation steps
};

// Runs the step that MAKE makes for COPY, a copy of ORIGINAL, and returns the results of its last run. Each
// run begins with the weights and buffers of ORIGINAL, which stays as it is.
[[nodiscard]] StepResults observe(const nn::Model& original, std::unique_ptr<nn::Model> copy, const StepMaker& make,
                                  const Observation& how);

}  // namespace mpsbench::step
