// A training step: zero the gradients, forward, loss, backward, gradient hook, optimizer. Without an
// optimizer, gradients accumulate.
#pragma once

#include "data/synthetic.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "step/evidence.hpp"
#include "step/gradient_hook.hpp"
#include "step/loss.hpp"
#include "step/loss_scaler.hpp"
#include "step/optimizer.hpp"
#include "step/precision.hpp"
#include "step/training_pass.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace mpsbench::step {

// Who skips an update if gradients overflowed (fp16 only).
enum class OverflowCheck {
  device,  // the fused optimizer, on the device
  host,    // the host, which waits for the device after each backward pass
};

struct TrainSettings {
  Precision precision = Precision::fp32;
  Loss loss = nullptr;
  schema::OptimizerSpec optimizer;
  OverflowCheck overflow_check = OverflowCheck::device;
  GradientHook* gradient_hook = nullptr;  // null: gradients are not changed
};

class TrainStep final : public measure::Step {
 public:
  // Runs MODEL operation by operation.
  TrainStep(nn::Model& model, const data::Batch& batch, const TrainSettings& settings, Evidence* evidence);
  // PASS computes the gradients of MODEL. EVIDENCE gets the results of the first step; it may be null. MODEL,
  // BATCH, EVIDENCE and the hook must outlive the step.
  TrainStep(std::unique_ptr<TrainingPass> pass, nn::Model& model, const data::Batch& batch,
            const TrainSettings& settings, Evidence* evidence);

  void run() override { run_with(nullptr); }
  [[nodiscard]] bool run_marked(measure::EventClock& clock) override {
    run_with(&clock);
    return true;
  }
  // Returns the loss of the last step, after waiting for it.
  std::optional<double> loss() override;

 private:
  // Parameters whose gradients get ready together, and their optimizer.
  struct Part {
    std::vector<at::Tensor> parameters;
    Update update;
  };

  // CLOCK marks the end of each phase; it may be null.
  void run_with(measure::EventClock* clock);

  std::unique_ptr<TrainingPass> pass_;
  nn::Model* model_;
  const data::Batch* batch_;
  std::vector<at::Tensor> trainable_;
  GradientHook* gradient_hook_;
  std::vector<Part> parts_;
  Update update_all_;
  bool accumulates_;                  // whether gradients accumulate over all steps
  std::optional<LossScaler> scaler_;  // fp16 only
  Evidence* evidence_;
  at::Tensor last_loss_;
};

}  // namespace mpsbench::step
