#include "nn/registry.hpp"

#include <ATen/ATen.h>

#include <array>

namespace mpsbench::nn {

namespace {

// Convolution, linear layers, embeddings and pooling.

Forward make_conv2d(const Node& node) {
  return [weight = node.tensor("weight"), bias = node.optional_tensor("bias"), stride = node.integers("stride"),
          padding = node.integers("padding"), dilation = node.integers("dilation"), groups = node.integer("groups")](
             const Inputs& in) { return at::conv2d(in[0], weight, bias, stride, padding, dilation, groups); };
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
  return [kernel = node.integers("kernel_size"), stride = node.integers("stride"), padding = node.integers("padding"),
          dilation = node.integers("dilation"), ceil_mode = node.flag("ceil_mode")](const Inputs& in) {
    return at::max_pool2d(in[0], kernel, stride, padding, dilation, ceil_mode);
  };
}

Forward make_avg_pool2d(const Node& node) {
  return [kernel = node.integers("kernel_size"), stride = node.integers("stride"), padding = node.integers("padding"),
          ceil_mode = node.flag("ceil_mode"), count_include_pad = node.flag("count_include_pad")](const Inputs& in) {
    return at::avg_pool2d(in[0], kernel, stride, padding, ceil_mode, count_include_pad);
  };
}

Forward make_adaptive_avg_pool2d(const Node& node) {
  return [size = node.integers("output_size")](const Inputs& in) { return at::adaptive_avg_pool2d(in[0], size); };
}

// Normalisation and dropout: the layers that differ between training and inference.

constexpr bool kUseCudnn = true;

Forward make_batch_norm2d(const Node& node) {
  return
      [weight = node.optional_tensor("weight"), bias = node.optional_tensor("bias"), mean = node.tensor("running_mean"),
       variance = node.tensor("running_var"), batches = node.tensor("num_batches_tracked"), training = node.training(),
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

// Attention, and the layers that make its position numbers and mask.

// The numbers 0, 1, ... along dimension 1 of the input, with shape [1, length]. They are made once for the
// longest input; the transformers library also keeps them in a buffer.
Forward make_position_ids(const Node&) {
  return [cached = at::Tensor()](const Inputs& in) mutable {
    const std::int64_t length = in[0].size(1);
    if (!cached.defined() || cached.size(1) < length)
      cached = at::arange(length, at::device(in[0].device()).dtype(at::kLong)).unsqueeze(0);
    return cached.size(1) == length ? cached : cached.narrow(1, 0, length);
  };
}

// Turns [batch, length] of 0 and 1 into [batch, 1, 1, length] of bool, true for tokens to attend to. If a
// mask is all ones, no mask is used, as in the transformers library. On an accelerator, checking a mask waits
// for the device. So a batch that stays the same is checked only once, and masks that may have padding, such
// as those of texts from files, which overwrite each other on the device, are used without a check.
Forward make_padding_mask(const Node& node) {
  const bool padded = node.plan().options.value(schema::kMayHavePadding, false);
  return [padded, last = at::Tensor(), all_ones = false](const Inputs& in) mutable {
    if (in[0].is_cpu() || !(padded || last.is_same(in[0]))) {
      last = in[0];
      all_ones = last.all().item<bool>();
    }
    return all_ones ? at::Tensor() : in[0].to(at::kBool).unsqueeze(1).unsqueeze(1);
  };
}

Forward make_attention(const Node& node) {
  const double dropout = node.drops_out() ? node.number("dropout_p") : 0;
  return [dropout, causal = node.flag("is_causal")](const Inputs& in) {
    const std::optional<at::Tensor> mask = in.size() > 3 && in[3].defined() ? std::optional(in[3]) : std::nullopt;
    // If nothing needs gradients, as in a frozen backbone, LibTorch uses MPS's own kernel, which has no
    // dropout. Up to 2.12 it silently leaves dropout out; from 2.13 on it throws an error.
    const bool frozen = !in[0].requires_grad() && !in[1].requires_grad() && !in[2].requires_grad();
    if (dropout > 0 && in[0].is_mps() && frozen) {
      const at::Tensor query = in[0].detach().requires_grad_();
      return at::scaled_dot_product_attention(query, in[1], in[2], mask, dropout, causal).detach();
    }
    return at::scaled_dot_product_attention(in[0], in[1], in[2], mask, dropout, causal);
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

std::span<const LayerFactory> norm_layers() {
  static constexpr std::array<LayerFactory, 4> kLayers{{{"batch_norm2d", make_batch_norm2d},
                                                        {"layer_norm", make_layer_norm},
                                                        {"group_norm", make_group_norm},
                                                        {"dropout", make_dropout}}};
  return kLayers;
}

std::span<const LayerFactory> attention_layers() {
  static constexpr std::array<LayerFactory, 3> kLayers{{{"position_ids", make_position_ids},
                                                        {"padding_mask", make_padding_mask},
                                                        {"scaled_dot_product_attention", make_attention}}};
  return kLayers;
}

}  // namespace mpsbench::nn
