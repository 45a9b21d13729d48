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

}  // namespace

Loss find_loss(const std::string& name) {
  if (name == "cross_entropy") return cross_entropy;
  if (name == "bce_with_logits") return bce_with_logits;
  if (name == "mse") return mse;
  if (name == "mean") return mean;
  throw base::usage_error("unknown loss '" + name + "'");
}

}  // namespace mpsbench::step
