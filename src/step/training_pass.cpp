#include "step/training_pass.hpp"

#include <ATen/ATen.h>

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
    (scale ? loss * *scale : loss).backward();
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
