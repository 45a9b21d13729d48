// An inference step: forward in evaluation mode.
#pragma once

#include "input/data/batches.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "schema/launch.hpp"
#include "schema/network_plan.hpp"
#include "step/evidence.hpp"
#include "step/precision.hpp"

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>

namespace mpsbench::step {

// Whether a forward pass records what a backward pass would need. PyTorch does so by default.
enum class Gradients { none, recorded };

// Returns the logits of the batch that a step reads.
using ForwardPass = std::function<at::Tensor()>;

class InferStep final : public measure::Step {
 public:
  // Runs MODEL operation by operation. EVIDENCE gets the results of the first step; it may be null. EVIDENCE and
  // all references must outlive the step.
  InferStep(nn::Model& model, const data::Batch& batch, Precision precision, Gradients gradients, Evidence* evidence);
  // FORWARD computes the logits of MODEL.
  InferStep(ForwardPass forward, const nn::Model& model, const data::Batch& batch, Gradients gradients,
            Evidence* evidence);

  void run() override;
  std::optional<double> loss() override { return std::nullopt; }

 private:
  ForwardPass forward_;
  const nn::Model* model_;
  const data::Batch* batch_;
  Gradients gradients_;
  Evidence* evidence_;
};

// Counts the rows that a trained network classifies correctly: runs MODEL in evaluation mode once over PART of
// the data set. The comparison is done on the host, because a
// device's count may be wrong (as in a published 0.00 %). The clock runs from the request for the first batch
// to the answer for the last.
[[nodiscard]] schema::Evaluation evaluate(const schema::NetworkPlan& plan, const nn::Model& model,
                                          const data::DataOptions& options, data::DataPart part, Precision precision);

}  // namespace mpsbench::step
