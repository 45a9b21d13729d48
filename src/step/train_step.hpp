// A training step: zero the gradients, forward, loss, backward, gradient hook, optimizer. Without an
// optimizer, gradients accumulate.
#pragma once

#include "base/error.hpp"
#include "base/interface.hpp"
#include "input/data/batches.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "schema/case_spec.hpp"
#include "step/evidence.hpp"
#include "step/optimizer.hpp"
#include "step/precision.hpp"

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mpsbench::step {

// A hook that can change gradients between the backward pass and the update.
class GradientHook : public base::Interface {
 public:
  // Returns PARAMETERS in the parts in which their gradients get ready. A part can be updated before the
  // next one is ready.
  [[nodiscard]] virtual std::vector<std::vector<at::Tensor>> parts_of(const std::vector<at::Tensor>& parameters) const {
    return {parameters};
  }
  // Changes the gradients of PARAMETERS, the next part, in place. Frozen or unused parameters have none. In
  // fp16 the gradients still include the loss scale, and the check for non-finite values comes later. The
  // hook is called in every step for all parts, in their order, with gradients switched off, and also while a
  // graph is captured. So it may queue work but not wait.
  virtual void apply(const std::vector<at::Tensor>& parameters) = 0;
};

// The forward and the backward pass of a training step, and how they are computed.
struct PassResults {
  at::Tensor logits;
  at::Tensor loss;
};

class TrainingPass : public base::Interface {
 public:
  [[nodiscard]] virtual PassResults forward() = 0;

  // Adds the gradients of LOSS, which forward() has just returned, to those of the parameters; a parameter
  // without one gets one. They are multiplied by SCALE if it is given.
  virtual void backward(const at::Tensor& loss, const std::optional<at::Tensor>& scale) = 0;
};

// Says that no parameter gets a gradient from the network's output, and what to do.
[[nodiscard]] base::Error no_gradient_error();

// A loss function. It returns the mean over the batch.
using Loss = std::function<at::Tensor(const at::Tensor& logits, const at::Tensor& target)>;

// Returns the loss of SPEC. Throws Error(usage) if its name is unknown.
[[nodiscard]] Loss find_loss(const schema::CaseSpec& spec);

// Who skips an update if gradients overflowed (fp16 only).
enum class OverflowCheck {
  device,  // the fused optimizer, on the device
  host,    // the host, which waits for the device after each backward pass
};

struct TrainSettings {
  schema::CaseSpec spec;  // its precision, loss and optimizer
  OverflowCheck overflow_check = OverflowCheck::device;
  GradientHook* gradient_hook = nullptr;  // null: gradients are not changed
};

class TrainStep final : public measure::Step {
 public:
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
