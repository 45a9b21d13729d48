#include "step/loss.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>

namespace mpsbench::step {

namespace {

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& target) {
  return at::cross_entropy_loss(logits, target);
}

at::Tensor bce_with_logits(const at::Tensor& logits, const at::Tensor& target) {
  return at::binary_cross_entropy_with_logits(logits, target);
}

at::Tensor mse(const at::Tensor& logits, const at::Tensor& target) {
  return at::mse_loss(logits, target);
}

at::Tensor mean(const at::Tensor& logits, const at::Tensor& /*target*/) {
  return logits.mean();
}

constexpr double kFirstScale = 65536;
constexpr double kGrowth = 2;
constexpr double kBackoff = 0.5;
constexpr std::int64_t kGrowthSteps = 2000;

}  // namespace

Loss find_loss(const std::string& name) {
  if (name == "cross_entropy") return cross_entropy;
  if (name == "bce_with_logits") return bce_with_logits;
  if (name == "mse") return mse;
  if (name == "mean") return mean;
  throw base::usage_error("unknown loss '" + name + "'");
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
