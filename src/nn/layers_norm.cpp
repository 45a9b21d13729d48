// Normalisation and dropout: the layers that differ between training and inference.
#include "nn/registry.hpp"

#include <ATen/ATen.h>

#include <array>

namespace mpsbench::nn {
namespace {

constexpr bool kUseCudnn = true;

Forward make_batch_norm2d(const Node& node) {
  return [weight = node.optional_tensor("weight"), bias = node.optional_tensor("bias"),
          mean = node.tensor("running_mean"), variance = node.tensor("running_var"),
          batches = node.tensor("num_batches_tracked"), training = node.training(),
          momentum = node.number("momentum"), eps = node.number("eps")](const Inputs& in) mutable {
    if (training) batches.add_(1);  // torch.nn counts too, so the work is the same
    return at::batch_norm(in[0], weight, bias, mean, variance, training, momentum, eps, kUseCudnn);
  };
}

Forward make_layer_norm(const Node& node) {
  return [weight = node.optional_tensor("weight"), bias = node.optional_tensor("bias"),
          shape = node.integers("normalized_shape"), eps = node.number("eps")](const Inputs& in) {
    return at::layer_norm(in[0], shape, weight, bias, eps, kUseCudnn);
  };
}

Forward make_group_norm(const Node& node) {
  return [weight = node.optional_tensor("weight"), bias = node.optional_tensor("bias"),
          groups = node.integer("num_groups"), eps = node.number("eps")](const Inputs& in) {
    return at::group_norm(in[0], groups, weight, bias, eps, kUseCudnn);
  };
}

Forward make_dropout(const Node& node) {
  const double p = node.number("p");
  if (!node.drops_out() || p == 0) return [](const Inputs& in) { return in[0]; };
  if (node.flag("inplace")) return [p](const Inputs& in) { return at::dropout_(in[0], p, true); };
  return [p](const Inputs& in) { return at::dropout(in[0], p, true); };
}

}  // namespace

std::span<const LayerFactory> norm_layers() {
  static constexpr std::array<LayerFactory, 4> kLayers{{{"batch_norm2d", make_batch_norm2d},
                                                        {"layer_norm", make_layer_norm},
                                                        {"group_norm", make_group_norm},
                                                        {"dropout", make_dropout}}};
  return kLayers;
}

}  // namespace mpsbench::nn
