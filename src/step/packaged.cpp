#include "step/packaged.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <optional>
#include <utility>
#include <vector>

namespace mpsbench::step {
namespace {

using Tensors = std::vector<at::Tensor>;

// The parameters and buffers of MODEL, which come first among the arguments of every function.
Tensors tensors_of(const nn::Model& model) {
  Tensors all;
  for (const nn::NamedTensor& named : model.parameters().all()) all.push_back(named.tensor.detach());
  return all;
}

// The batch is looked up in each step, because the feed of the CPU exchanges its tensors.
Tensors arguments(const Tensors& tensors, const data::Batch& batch) {
  Tensors all = tensors;
  all.insert(all.end(), batch.inputs.begin(), batch.inputs.end());
  return all;
}

class PackagedPass final : public TrainingPass {
 public:
  PackagedPass(const nn::Package& package, nn::Model& model, const data::Batch& batch)
      : model_(&model),
        batch_(&batch),
        trainable_(model.parameters().trainable()),
        tensors_(tensors_of(model)),
        forward_(package.load("forward", batch.target.device())),
        backward_(package.load("backward", batch.target.device())),
        one_(at::ones({}, at::device(batch.target.device()).dtype(at::kFloat))) {}

  PassResults forward() override {
    const at::NoGradGuard no_grad;
    Tensors inputs = arguments(tensors_, *batch_);
    inputs.push_back(batch_->target);
    Tensors outputs = forward_(std::move(inputs));
    PassResults results{.logits = std::move(outputs.at(1)), .loss = std::move(outputs.at(0))};
    model_->on_logits(results.logits);
    saved_.assign(std::make_move_iterator(outputs.begin() + 2), std::make_move_iterator(outputs.end()));
    return results;
  }

  void backward(const at::Tensor& /*loss*/, const std::optional<at::Tensor>& scale) override {
    const at::NoGradGuard no_grad;
    saved_.push_back(scale.value_or(one_));
    const Tensors gradients = backward_(std::move(saved_));
    saved_.clear();
    if (gradients.size() != trainable_.size())
      throw base::usage_error("the package has not one gradient for each parameter that trains; use --engine eager");
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      at::Tensor& gradient = trainable_[i].mutable_grad();
      if (gradient.defined()) {
        gradient.add_(gradients[i]);
      } else {
        gradient = gradients[i];
      }
    }
  }

 private:
  nn::Model* model_;
  const data::Batch* batch_;
  Tensors trainable_;
  Tensors tensors_;
  nn::PackageFunction forward_, backward_;
  at::Tensor one_;
  Tensors saved_;
};

}  // namespace

ForwardPass make_packaged_forward(const nn::Package& package, nn::Model& model, const data::Batch& batch) {
  return [&model, &batch, tensors = tensors_of(model), forward = package.load("forward", batch.inputs.at(0).device())] {
    at::Tensor logits = forward(arguments(tensors, batch)).at(0);
    model.on_logits(logits);
    return logits;
  };
}

std::unique_ptr<TrainingPass> make_packaged_pass(const nn::Package& package, nn::Model& model,
                                                 const data::Batch& batch) {
  return std::make_unique<PackagedPass>(package, model, batch);
}

}  // namespace mpsbench::step
