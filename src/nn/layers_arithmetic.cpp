// Layers that combine tensors.
#include "nn/registry.hpp"

#include <ATen/ATen.h>

#include <array>

namespace mpsbench::nn {
namespace {

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

}  // namespace

std::span<const LayerFactory> arithmetic_layers() {
  static constexpr std::array<LayerFactory, 4> kLayers{
      {{"add", make_add}, {"mul", make_mul}, {"matmul", make_matmul}, {"cat", make_cat}}};
  return kLayers;
}

}  // namespace mpsbench::nn
