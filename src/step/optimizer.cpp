#include "step/optimizer.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace mpsbench::step {
namespace {

std::vector<at::Tensor> zeros_like(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> zeros;
  for (const at::Tensor& parameter : parameters) zeros.push_back(at::zeros_like(parameter));
  return zeros;
}

// Lists, all in the same order, of the parameters, their gradients and the optimizer's state. The state is
// allocated before the first step, so that it does not lie between activations in memory. The first backward
// pass shows which parameters have a gradient; the others are then dropped.
class Lists {
 public:
  Lists(std::vector<at::Tensor> parameters, std::size_t state_count) : parameters_(std::move(parameters)) {
    for (std::size_t i = 0; i < state_count; ++i) states_.push_back(zeros_like(parameters_));
  }

  [[nodiscard]] const std::vector<at::Tensor>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<at::Tensor>& gradients() const { return gradients_; }
  [[nodiscard]] const std::vector<at::Tensor>& state(std::size_t i) const { return states_.at(i); }

  // Takes the parameters' current gradients.
  void refresh() {
    if (!settled_) settle();
    for (const at::Tensor& parameter : parameters_) gradients_.push_back(parameter.grad());
  }

  // Call it after use: as long as a gradient is held, the next step cannot reuse its memory.
  void release() { gradients_.clear(); }

 private:
  void settle() {
    std::vector<bool> keep;
    for (const at::Tensor& parameter : parameters_) keep.push_back(parameter.grad().defined());
    for (std::vector<at::Tensor>& state : states_) drop(state, keep);
    drop(parameters_, keep);
    settled_ = true;
  }

  static void drop(std::vector<at::Tensor>& tensors, const std::vector<bool>& keep) {
    std::vector<at::Tensor> kept;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (keep[i]) kept.push_back(tensors[i]);
    }
    tensors = std::move(kept);
  }

  bool settled_ = false;
  std::vector<at::Tensor> parameters_, gradients_;
  std::vector<std::vector<at::Tensor>> states_;
};

class Sgd {
 public:
  Sgd(const schema::OptimizerSpec& spec, std::vector<at::Tensor> parameters)
      : lr_(spec.settings.at("lr")),
        momentum_(spec.settings.at("momentum")),
        weight_decay_(spec.settings.at("weight_decay")),
        dampening_(spec.settings.at("dampening")),
        nesterov_(spec.settings.at("nesterov") != 0),
        lists_(std::move(parameters), momentum_ != 0 ? 1 : 0) {}

  void operator()(const std::optional<at::Tensor>& found_infinite) {
    lists_.refresh();
    if (lists_.parameters().empty()) return;
    at::_fused_sgd_(lists_.parameters(), lists_.gradients(),
                    momentum_ != 0 ? at::TensorList(lists_.state(0)) : at::TensorList(), weight_decay_, momentum_, lr_,
                    dampening_, nesterov_, /*maximize=*/false, first_, /*grad_scale=*/{}, found_infinite);
    lists_.release();
    first_ = false;
  }

 private:
  double lr_, momentum_, weight_decay_, dampening_;
  bool nesterov_;
  bool first_ = true;
  Lists lists_;
};

class Adam {
 public:
  Adam(const schema::OptimizerSpec& spec, const std::vector<at::Tensor>& parameters)
      : lr_(spec.settings.at("lr")),
        beta1_(spec.settings.at("beta1")),
        beta2_(spec.settings.at("beta2")),
        eps_(spec.settings.at("eps")),
        weight_decay_(spec.settings.at("weight_decay")),
        amsgrad_(spec.settings.at("amsgrad") != 0),
        update_(spec.name == "adamw" ? static_cast<Operator>(at::_fused_adamw_)
                                     : static_cast<Operator>(at::_fused_adam_)),
        lists_(parameters, amsgrad_ ? 3 : 2) {}

  void operator()(const std::optional<at::Tensor>& found_infinite) {
    lists_.refresh();
    if (lists_.parameters().empty()) return;
    if (steps_.empty()) {
      for (const at::Tensor& parameter : lists_.parameters())
        steps_.push_back(at::zeros({}, parameter.options().dtype(at::kFloat).requires_grad(false)));
    }
    at::_foreach_add_(steps_, 1);
    update_(lists_.parameters(), lists_.gradients(), lists_.state(0), lists_.state(1),
            amsgrad_ ? at::TensorList(lists_.state(2)) : at::TensorList(), steps_, lr_, beta1_, beta2_, weight_decay_,
            eps_, amsgrad_, /*maximize=*/false, /*grad_scale=*/{}, found_infinite);
    if (found_infinite) at::_foreach_sub_(steps_, std::vector<at::Tensor>(steps_.size(), *found_infinite));
    lists_.release();
  }

 private:
  using Operator = void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList,
                            at::TensorList, double, double, double, double, double, bool, bool,
                            const std::optional<at::Tensor>&, const std::optional<at::Tensor>&);

  double lr_, beta1_, beta2_, eps_, weight_decay_;
  bool amsgrad_;
  Operator update_;
  Lists lists_;
  std::vector<at::Tensor> steps_;
};

constexpr double kFirstScale = 65536;
constexpr double kGrowth = 2;
constexpr double kBackoff = 0.5;
constexpr std::int64_t kGrowthSteps = 2000;

}  // namespace

Update make_optimizer(const schema::OptimizerSpec& spec, std::vector<at::Tensor> parameters) {
  if (spec.name == "sgd") return Sgd(spec, std::move(parameters));
  if (spec.name == "adam" || spec.name == "adamw") return Adam(spec, parameters);
  if (spec.name == "none") return [](const std::optional<at::Tensor>&) {};
  throw base::usage_error("unknown optimizer '" + spec.name + "'");
}

Update skipped_by_host(Update update) {
  return [update = std::move(update)](const std::optional<at::Tensor>& found_infinite) {
    if (found_infinite && found_infinite->item<float>() != 0) return;
    update(std::nullopt);
  };
}

LossScaler::LossScaler(const c10::Device& device)
    : scale_(at::full({}, kFirstScale, at::device(device).dtype(at::kFloat))),
      growth_(at::zeros({}, at::device(device).dtype(at::kInt))),
      found_infinite_(at::zeros({}, at::device(device).dtype(at::kFloat))) {}

void LossScaler::unscale(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  found_infinite_.zero_();
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_infinite_, scale_.reciprocal());
}

void LossScaler::update() {
  at::_amp_update_scale_(scale_, growth_, found_infinite_, kGrowth, kBackoff, kGrowthSteps);
}

}  // namespace mpsbench::step
