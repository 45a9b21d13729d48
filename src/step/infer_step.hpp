// An inference step: forward in evaluation mode.
#pragma once

#include "input/data/batches.hpp"
#include "input/data/synthetic.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "schema/launch.hpp"
#include "schema/network_plan.hpp"
#include "step/evidence.hpp"
#include "step/precision.hpp"

#include <optional>

namespace mpsbench::step {

// Whether a forward pass records what a backward pass would need. PyTorch does so by default.
enum class Gradients { none, recorded };

class InferStep final : public measure::Step {
 public:
  // EVIDENCE gets the results of the first step; it may be null. EVIDENCE and all references must outlive the
  // step.
  InferStep(nn::Model& model, const data::Batch& batch, Precision precision, Gradients gradients, Evidence* evidence);

  void run() override;
  std::optional<double> loss() override { return std::nullopt; }

 private:
  nn::Model* model_;
  const data::Batch* batch_;
  Precision precision_;
  Gradients gradients_;
  Evidence* evidence_;
  c10::DeviceType device_;
};

// Counts the rows that a trained network classifies correctly.

// Runs MODEL in evaluation mode once over PART of the data set. The comparison is done on the host, because a
// device's count may be wrong (as in a published 0.00 %). The clock runs from the request for the first batch
// to the answer for the last.
[[nodiscard]] schema::Evaluation evaluate(const schema::NetworkPlan& plan, const nn::Model& model,
                                          const data::DataOptions& options, data::DataPart part, Precision precision);

}  // namespace mpsbench::step
