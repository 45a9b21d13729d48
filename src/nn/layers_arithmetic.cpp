#include "nn/registry.hpp"

#include <ATen/ATen.h>

#include <array>

namespace mpsbench::nn {

namespace {

// Layers that combine tensors.

Forward make_add(const Node& node) {
  if (node.flag("inplace")) return [](const Inputs& in) { return in[0].add_(in[1]); };
  return [](const Inputs& in) { return at::add(in[0], in[1]); };
}

Forward make_mul(const Node&) {
  return [](const Inputs& in) { return at::mul(in[0], in[1]); };
}

Forward make_matmul(const Node&) {
  return [](const Inputs& in) { return at::matmul(in[0], in[1]); };
}

Forward make_cat(const Node& node) {
  return [dim = node.integer("dim")](const Inputs& in) {
    std::vector<at::Tensor> parts;
    for (std::size_t i = 0; i < in.size(); ++i) parts.push_back(in[i]);
    return at::cat(parts, dim);
  };
}

// Element-wise activations and softmax.

using Function = at::Tensor (*)(const at::Tensor&);
using InPlace = at::Tensor& (*)(at::Tensor&);

Forward choose(const Node& node, Function function, InPlace in_place) {
  if (node.flag("inplace")) return [in_place](const Inputs& in) { return in_place(in[0]); };
  return [function](const Inputs& in) { return function(in[0]); };
}

Forward make_relu(const Node& node) {
  return choose(node, at::relu, at::relu_);
}
Forward make_relu6(const Node& node) {
  return choose(node, at::relu6, at::relu6_);
}
Forward make_silu(const Node& node) {
  return choose(node, at::silu, at::silu_);
}
Forward make_hardswish(const Node& node) {
  return choose(node, at::hardswish, at::hardswish_);
}
Forward make_hardsigmoid(const Node& node) {
  return choose(node, at::hardsigmoid, at::hardsigmoid_);
}

Forward make_leaky_relu(const Node& node) {
  const double slope = node.number("negative_slope");
  if (node.flag("inplace")) return [slope](const Inputs& in) { return at::leaky_relu_(in[0], slope); };
  return [slope](const Inputs& in) { return at::leaky_relu(in[0], slope); };
}

Forward make_gelu(const Node& node) {
  return [approximate = node.text("approximate")](const Inputs& in) { return at::gelu(in[0], approximate); };
}

Forward make_sigmoid(const Node&) {
  return [](const Inputs& in) { return at::sigmoid(in[0]); };
}

Forward make_tanh(const Node&) {
  return [](const Inputs& in) { return at::tanh(in[0]); };
}

Forward make_softmax(const Node& node) {
  return [dim = node.integer("dim")](const Inputs& in) { return at::softmax(in[0], dim); };
}

}  // namespace

std::span<const LayerFactory> arithmetic_layers() {
  static constexpr std::array<LayerFactory, 4> kLayers{
      {{"add", make_add}, {"mul", make_mul}, {"matmul", make_matmul}, {"cat", make_cat}}};
  return kLayers;
}

std::span<const LayerFactory> activation_layers() {
  static constexpr std::array<LayerFactory, 10> kLayers{{{"relu", make_relu},
                                                         {"relu6", make_relu6},
                                                         {"leaky_relu", make_leaky_relu},
                                                         {"gelu", make_gelu},
                                                         {"silu", make_silu},
                                                         {"hardswish", make_hardswish},
                                                         {"hardsigmoid", make_hardsigmoid},
                                                         {"sigmoid", make_sigmoid},
                                                         {"tanh", make_tanh},
                                                         {"softmax", make_softmax}}};
  return kLayers;
}

}  // namespace mpsbench::nn
