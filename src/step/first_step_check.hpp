// Checks of a network before it is measured: of its tensors, and of its first step, because a fast but wrong
// answer is not a result.
#pragma once

#include "input/data/batches.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "nn/parameters.hpp"
#include "schema/network_plan.hpp"
#include "step/comparison.hpp"
#include "step/precision.hpp"
#include "step/train_step.hpp"

#include <c10/core/Device.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mpsbench::step {

// Makes a step that runs the network that it is given.
using StepMaker = std::function<std::unique_ptr<measure::Step>(nn::Model&)>;

struct EngineSides {
  StepMaker engine;
  StepMaker eager;
  // Eager's step in fp32 or, if the case is in fp32, in fp64: with a network in fp64, the maker must use
  // inputs in fp64, too. Null if the engine runs eager's own kernels. It shows how far rounding alone changes
  // a step, and the limits follow from that. In fp32 it runs only if the usual limits do not suffice.
  StepMaker exact = nullptr;
};

// Compares the first step on DEVICE with an engine and with eager. TRAINING is empty in inference. Both start from the
// weights of MODEL, without dropout but otherwise as the case's steps do; with EXACT, in training, the biases of batch
// normalisation are higher by 1, so that rounding errors stay small. MODEL stays as it is.
//
// An engine may prepare itself in its first steps. Without EXACT, eager runs as many, and each begins with
// the first weights; so both sides compare the same step, with an equally old optimizer.
[[nodiscard]] StepComparison compare_with_eager(const nn::Model& model, const c10::Device& device, Precision precision,
                                                const EngineSides& sides, const std::optional<TrainSettings>& training);

// Compares up to two rows of BATCH through MODEL, on its device and at PRECISION, with the CPU's fp32. With
// TRAINING, a training step with these settings is compared, too. MODEL stays as it is.
//
// All layers work as in evaluation mode, also in the training step. Dropout is random. Batch normalisation
// over two rows multiplies rounding errors: at ResNet's last layers for small images it has two values per
// channel, and gradients in fp32 then differ by 10 % from those in fp64 (0.2 % with running statistics), and
// in bf16 by more than their norm.
// REFERENCE is what it is compared with, on the CPU in fp32; if it is null, a copy of MODEL is.
[[nodiscard]] StepComparison compare_with_cpu(const nn::Model& model, const data::Batch& batch, Precision precision,
                                              const std::optional<TrainSettings>& training,
                                              nn::Model* reference = nullptr);

// Checks the number of a model file's outputs, which is not known in advance. Throws Error(usage) if PLAN runs a model
// file whose output does not fit the loss. LEAST_CLASSES is what the data set needs, or 0. Runs MODEL in evaluation
// mode, and in its own one if the number differs. The parameters of MODEL already require gradients.
void require_classes(const schema::NetworkPlan& plan, nn::Model& model, const data::Batch& batch,
                     std::int64_t least_classes);

// Throws an Error(usage) that names the first tensor of BATCH or PARAMETERS that is not on the step's device.
// Inputs have PLAN's names.
void require_on_device(const schema::NetworkPlan& plan, const data::Batch& batch, const nn::Parameters& parameters,
                       const c10::Device& device);

// Returns the name of the first trainable parameter with a value that is not finite, or "".
[[nodiscard]] std::string infinite_parameter(const nn::Parameters& parameters);

}  // namespace mpsbench::step
