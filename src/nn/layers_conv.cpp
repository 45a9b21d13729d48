// Convolution, linear layers, embeddings and pooling.
#include "nn/registry.hpp"

#include <ATen/ATen.h>

#include <array>

namespace mpsbench::nn {
namespace {

Forward make_conv2d(const Node& node) {
  return [weight = node.tensor("weight"), bias = node.optional_tensor("bias"),
          stride = node.integers("stride"), padding = node.integers("padding"),
          dilation = node.integers("dilation"), groups = node.integer("groups")](const Inputs& in) {
    return at::conv2d(in[0], weight, bias, stride, padding, dilation, groups);
  };
}

Forward make_linear(const Node& node) {
  return [weight = node.tensor("weight"), bias = node.optional_tensor("bias")](const Inputs& in) {
    return at::linear(in[0], weight, bias);
  };
}

Forward make_embedding(const Node& node) {
  const auto padding = node.plan().options.value("padding_idx", nlohmann::json());
  const std::int64_t padding_idx = padding.is_null() ? -1 : padding.get<std::int64_t>();
  return [weight = node.tensor("weight"), padding_idx](const Inputs& in) {
    return at::embedding(weight, in[0], padding_idx);
  };
}

Forward make_max_pool2d(const Node& node) {
  return [kernel = node.integers("kernel_size"), stride = node.integers("stride"),
          padding = node.integers("padding"), dilation = node.integers("dilation"),
          ceil_mode = node.flag("ceil_mode")](const Inputs& in) {
    return at::max_pool2d(in[0], kernel, stride, padding, dilation, ceil_mode);
  };
}

Forward make_avg_pool2d(const Node& node) {
  return [kernel = node.integers("kernel_size"), stride = node.integers("stride"),
          padding = node.integers("padding"), ceil_mode = node.flag("ceil_mode"),
          count_include_pad = node.flag("count_include_pad")](const Inputs& in) {
    return at::avg_pool2d(in[0], kernel, stride, padding, ceil_mode, count_include_pad);
  };
}

Forward make_adaptive_avg_pool2d(const Node& node) {
  return [size = node.integers("output_size")](const Inputs& in) {
    return at::adaptive_avg_pool2d(in[0], size);
  };
}

}  // namespace

std::span<const LayerFactory> conv_layers() {
  static constexpr std::array<LayerFactory, 6> kLayers{{{"conv2d", make_conv2d},
                                                        {"linear", make_linear},
                                                        {"embedding", make_embedding},
                                                        {"max_pool2d", make_max_pool2d},
                                                        {"avg_pool2d", make_avg_pool2d},
                                                        {"adaptive_avg_pool2d", make_adaptive_avg_pool2d}}};
  return kLayers;
}

}  // namespace mpsbench::nn
