// Inference: forward in evaluation mode.
#pragma once

#include "data/synthetic.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "step/evidence.hpp"
#include "step/precision.hpp"

#include <optional>

namespace mpsbench::step {

// Whether a forward records what a backward would need, as PyTorch does unless told not to.
enum class Gradients { none, recorded };

class InferStep final : public measure::Step {
 public:
  // EVIDENCE (may be null) takes what the first step computes. All references and EVIDENCE must outlive the
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
