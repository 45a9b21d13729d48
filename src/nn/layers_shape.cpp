// Views and reductions over dimensions.
#include "nn/registry.hpp"

#include <ATen/ATen.h>

#include <array>

namespace mpsbench::nn {
namespace {

Forward make_flatten(const Node& node) {
  return [first = node.integer("start_dim"), last = node.integer("end_dim")](const Inputs& in) {
    return at::flatten(in[0], first, last);
  };
}

Forward make_unflatten(const Node& node) {
  return [dim = node.integer("dim"), sizes = node.integers("sizes")](const Inputs& in) {
    return at::unflatten(in[0], dim, sizes);
  };
}

Forward make_transpose(const Node& node) {
  return [first = node.integer("dim0"), second = node.integer("dim1")](const Inputs& in) {
    return at::transpose(in[0], first, second);
  };
}

Forward make_permute(const Node& node) {
  return [dims = node.integers("dims")](const Inputs& in) { return at::permute(in[0], dims); };
}

Forward make_select(const Node& node) {
  return [dim = node.integer("dim"), index = node.integer("index")](const Inputs& in) {
    return at::select(in[0], dim, index);
  };
}

Forward make_mean(const Node& node) {
  return [dims = node.integers("dims"), keepdim = node.flag("keepdim")](const Inputs& in) {
    return at::mean(in[0], dims, keepdim);
  };
}

}  // namespace

std::span<const LayerFactory> shape_layers() {
  static constexpr std::array<LayerFactory, 6> kLayers{{{"flatten", make_flatten},
                                                        {"unflatten", make_unflatten},
                                                        {"transpose", make_transpose},
                                                        {"permute", make_permute},
                                                        {"select", make_select},
                                                        {"mean", make_mean}}};
  return kLayers;
}

}  // namespace mpsbench::nn
