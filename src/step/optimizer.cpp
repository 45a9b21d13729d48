#include "step/optimizer.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>

#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace mpsbench::step {
namespace {

// Lists, all in the same order, of the parameters, their gradients and the optimizer's state. The state is
// allocated before the first step, so that it does not lie between activations in memory. The first backward
// pass shows which parameters have a gradient; the others are then dropped.
struct Lists {
  Lists(std::vector<at::Tensor> of, std::size_t state_count) : parameters(std::move(of)), states(state_count) {
    for (std::vector<at::Tensor>& state : states) {
      for (const at::Tensor& parameter : parameters) state.push_back(at::zeros_like(parameter));
    }
  }

  // Takes the parameters' current gradients. Clear them after use: as long as a gradient is held, the next step
  // cannot reuse its memory.
  void refresh() {
    if (!std::exchange(is_settled, true)) settle();
    for (const at::Tensor& parameter : parameters) gradients.push_back(parameter.grad());
  }

  void settle() {
    for (std::ptrdiff_t i = std::ssize(parameters); i-- > 0;) {
      if (parameters[static_cast<std::size_t>(i)].grad().defined()) continue;
      parameters.erase(parameters.begin() + i);
      for (std::vector<at::Tensor>& state : states) state.erase(state.begin() + i);
    }
  }

  std::vector<at::Tensor> parameters, gradients{};
  std::vector<std::vector<at::Tensor>> states;
  bool is_settled = false;
};

Update sgd(const std::map<std::string, double>& settings, std::vector<at::Tensor> parameters) {
  const double momentum = settings.at("momentum");
  return [momentum, lr = settings.at("lr"), weight_decay = settings.at("weight_decay"),
          dampening = settings.at("dampening"), nesterov = settings.at("nesterov") != 0, is_first = true,
          lists = Lists(std::move(parameters), momentum != 0 ? 1 : 0)](
             const std::optional<at::Tensor>& found_infinite) mutable {
    lists.refresh();
    if (lists.parameters.empty()) return;
    at::_fused_sgd_(lists.parameters, lists.gradients,
                    momentum != 0 ? at::TensorList(lists.states[0]) : at::TensorList(), weight_decay, momentum, lr,
                    dampening, nesterov, /*maximize=*/false, is_first, /*grad_scale=*/{}, found_infinite);
    lists.gradients.clear();
    is_first = false;
  };
}

// at::_fused_adam_ or at::_fused_adamw_
using AdamOperator = void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList,
                              at::TensorList, double, double, double, double, double, bool, bool,
                              const std::optional<at::Tensor>&, const std::optional<at::Tensor>&);

Update adam(AdamOperator update, const std::map<std::string, double>& settings, std::vector<at::Tensor> parameters) {
  const bool amsgrad = settings.at("amsgrad") != 0;
  return
      [update, amsgrad, lr = settings.at("lr"), beta1 = settings.at("beta1"), beta2 = settings.at("beta2"),
       eps = settings.at("eps"), weight_decay = settings.at("weight_decay"), steps = std::vector<at::Tensor>(),
       lists = Lists(std::move(parameters), amsgrad ? 3 : 2)](const std::optional<at::Tensor>& found_infinite) mutable {
        lists.refresh();
        if (lists.parameters.empty()) return;
        if (steps.empty()) {
          for (const at::Tensor& parameter : lists.parameters)
            steps.push_back(at::zeros({}, parameter.options().dtype(at::kFloat).requires_grad(false)));
        }
        at::_foreach_add_(steps, 1);
        update(lists.parameters, lists.gradients, lists.states[0], lists.states[1],
               amsgrad ? at::TensorList(lists.states[2]) : at::TensorList(), steps, lr, beta1, beta2, weight_decay, eps,
               amsgrad, /*maximize=*/false, /*grad_scale=*/{}, found_infinite);
        if (found_infinite) at::_foreach_sub_(steps, std::vector<at::Tensor>(steps.size(), *found_infinite));
        lists.gradients.clear();
      };
}

constexpr double kFirstScale = 65536;
constexpr double kGrowth = 2;
constexpr double kBackoff = 0.5;
constexpr std::int64_t kGrowthSteps = 2000;

}  // namespace

Update make_optimizer(const schema::OptimizerSpec& spec, std::vector<at::Tensor> parameters) {
  if (spec.name == "sgd") return sgd(spec.settings, std::move(parameters));
  if (spec.name == "adam") return adam(at::_fused_adam_, spec.settings, std::move(parameters));
  if (spec.name == "adamw") return adam(at::_fused_adamw_, spec.settings, std::move(parameters));
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
