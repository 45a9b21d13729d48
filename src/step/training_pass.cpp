#include "step/training_pass.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

namespace mpsbench::step {
namespace {

class EagerPass final : public TrainingPass {
 public:
  EagerPass(nn::Model& model, const data::Batch& batch, Precision precision, Loss loss)
      : model_(&model),
        batch_(&batch),
        precision_(precision),
        loss_(loss),
        device_(batch.target.device().type()) {}

  PassResults forward() override {
    const PrecisionScope scope(precision_, device_);
    PassResults results;
    results.logits = model_->forward(batch_->inputs);
    results.loss = loss_(results.logits, batch_->target);
    return results;
  }

  void backward(const at::Tensor& loss, const std::optional<at::Tensor>& scale) override {
    try {
      (scale ? loss * *scale : loss).backward();
    } catch (const c10::Error&) {
      if (loss.requires_grad()) throw;
      throw base::usage_error(
          "the network's output has no gradient, because its code runs under no_grad, detaches it or makes "
          "whole numbers of it; save a network without that, or use --mode infer");
    }
  }

 private:
  nn::Model* model_;
  const data::Batch* batch_;
  Precision precision_;
  Loss loss_;
  c10::DeviceType device_;
};

}  // namespace

std::unique_ptr<TrainingPass> make_eager_pass(nn::Model& model, const data::Batch& batch, Precision precision,
                                              Loss loss) {
  return std::make_unique<EagerPass>(model, batch, precision, loss);
}

}  // namespace mpsbench::step
