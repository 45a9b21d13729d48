// Compares what a case computes with the CPU, because a fast but wrong answer is not a result.
#pragma once

#include "data/synthetic.hpp"
#include "nn/model.hpp"
#include "step/comparison.hpp"
#include "step/observed_step.hpp"
#include "step/precision.hpp"
#include "step/train_step.hpp"

#include <optional>

namespace mpsbench::step {

// Compares up to two rows of BATCH through MODEL, on its device and at PRECISION, with the CPU's fp32. With
// TRAINING, a training step with these settings is compared, too. MODEL stays as it is.
//
// All layers work as in evaluation mode, also in the training step. Dropout is random. Batch normalisation
// over two rows multiplies rounding errors: at ResNet's last layers for small images it has two values per
// channel, and gradients in fp32 then differ by 10 % from those in fp64 (0.2 % with running statistics), and
// in bf16 by more than their norm.
[[nodiscard]] StepComparison compare_with_cpu(const nn::Model& model, const data::Batch& batch,
                                              Precision precision,
                                              const std::optional<TrainSettings>& training);

}  // namespace mpsbench::step
