// An inference step: forward in evaluation mode.
#pragma once

#include "data/synthetic.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
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
  InferStep(nn::Model& model, const data::Batch& batch, Precision precision, Gradients gradients,
            Evidence* evidence);

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

}  // namespace mpsbench::step
