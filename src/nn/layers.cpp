#include "nn/layers.hpp"

#include "base/error.hpp"
#include "nn/attention.hpp"
#include "nn/moe.hpp"
#include "nn/quantization.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace mpsbench::nn {
namespace {

using Function = at::Tensor (*)(const at::Tensor&);
using InPlace = at::Tensor& (*)(at::Tensor&);

Forward choose(const Node& node, Function function, InPlace in_place) {
  if (node.flag("inplace")) return [in_place](const Inputs& in) { return in_place(in[0]); };
  return [function](const Inputs& in) { return function(in[0]); };
}

Forward make_add(const Node& node) {
  if (node.flag("inplace")) return [](const Inputs& in) { return in[0].add_(in[1]); };
  return [](const Inputs& in) { return at::add(in[0], in[1]); };
}

Forward make_scale(const Node& node) {
  const double factor = node.number("factor");
  const double offset = node.number("offset");
  if (offset == 0) return [factor](const Inputs& in) { return at::mul(in[0], factor); };
  if (factor == 1) return [offset](const Inputs& in) { return at::add(in[0], offset); };
  return [factor, offset](const Inputs& in) { return at::mul(in[0], factor).add_(offset); };
}

Forward make_cat(const Node& node) {
  return [dim = node.integer("dim")](const Inputs& in) {
    std::vector<at::Tensor> parts;
    for (std::size_t i = 0; i < in.size(); ++i) parts.push_back(in[i]);
    return at::cat(parts, dim);
  };
}

Forward make_leaky_relu(const Node& node) {
  const double slope = node.number("negative_slope");
  if (node.flag("inplace")) return [slope](const Inputs& in) { return at::leaky_relu_(in[0], slope); };
  return [slope](const Inputs& in) { return at::leaky_relu(in[0], slope); };
}

constexpr bool kUseCudnn = true;

using Convolve = at::Tensor (*)(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&, at::IntArrayRef,
                                at::IntArrayRef, at::IntArrayRef, std::int64_t);

Forward make_convolution(const Node& node, Convolve convolve) {
  return [convolve, weight = node.tensor("weight"), bias = node.optional_tensor("bias"),
          stride = node.integers("stride"), padding = node.integers("padding"), dilation = node.integers("dilation"),
          groups = node.integer("groups")](const Inputs& in) {
    return convolve(in[0], weight, bias, stride, padding, dilation, groups);
  };
}

Forward make_conv_transpose2d(const Node& node) {
  return [weight = node.tensor("weight"), bias = node.optional_tensor("bias"), stride = node.integers("stride"),
          padding = node.integers("padding")](const Inputs& in) {
    return at::conv_transpose2d(in[0], weight, bias, stride, padding);
  };
}

Forward make_linear(const Node& node) {
  if (node.scales().defined()) return make_quantized_linear(node);
  const bool transposed = node.flag("transposed");
  if (transposed || node.plan().inputs.size() == 2) {  // the second one is the bias
    return [weight = node.tensor("weight"), bias = node.optional_tensor("bias"), transposed](const Inputs& in) {
      return at::linear(in[0], transposed ? weight.t() : weight, in.size() == 2 ? std::optional(in[1]) : bias);
    };
  }
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

Forward make_parameter(const Node& node) {
  if (!node.flag("expand")) return [tensor = node.tensor("")](const Inputs&) { return tensor; };
  return [tensor = node.tensor("")](const Inputs& in) {
    std::vector<std::int64_t> shape = tensor.sizes().vec();
    shape.front() = in[0].size(0);
    return tensor.expand(shape);
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

// In the weight's type, as autocast does on CUDA: the CPU's autocast does not know this operation.
Forward make_rms_norm(const Node& node) {
  return [weight = node.tensor("weight"), offset = node.number("offset"), eps = node.number("eps")](const Inputs& in) {
    return at::rms_norm(in[0].to(weight.scalar_type()), weight.sizes(), offset == 0 ? weight : weight + offset, eps);
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

// Leaves out each row with the probability p, and scales the others up.
Forward make_stochastic_depth(const Node& node) {
  const double kept = 1 - node.number("p");
  if (!node.drops_out() || kept == 1) return [](const Inputs& in) { return in[0]; };
  return [kept](const Inputs& in) {
    std::vector<std::int64_t> shape(static_cast<std::size_t>(in[0].dim()), 1);
    shape.front() = in[0].size(0);
    at::Tensor noise = at::empty(shape, in[0].options()).bernoulli_(kept);
    if (kept > 0) noise.div_(kept);
    return at::mul(in[0], noise);
  };
}

// The numbers from START on along dimension 1 of the input, with shape [1, length]. They are made once for the
// longest input; the transformers library also keeps them in a buffer.
Forward make_position_ids(const Node& node) {
  return [start = node.integer("start"), cache = node.cache(), ids = at::Tensor()](const Inputs& in) mutable {
    const std::int64_t length = in[0].size(1);
    const std::int64_t first = cache != nullptr ? cache->position() : 0;
    const std::int64_t most = cache != nullptr ? cache->capacity() : length;
    if (!ids.defined() || ids.size(1) < most)
      ids = at::arange(start, start + most, at::device(in[0].device()).dtype(at::kLong)).unsqueeze(0);
    if (cache != nullptr && cache->is_at_place(length)) return ids.index_select(1, cache->place());
    return ids.size(1) == length ? ids : ids.narrow(1, first, length);
  };
}

Forward make_sinusoidal_embedding(const Node& node) {
  const std::int64_t half = node.integer("size") / 2;
  return [half, fall = -std::log(node.number("max_period")), frequencies = at::Tensor()](const Inputs& in) mutable {
    if (!frequencies.defined())
      frequencies = (at::arange(half, at::device(in[0].device()).dtype(at::kFloat)) * fall / half).exp();
    const at::Tensor angles = in[0].unsqueeze(-1) * frequencies;
    return at::cat({angles.cos(), angles.sin()}, -1);
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

Forward make_split(const Node& node) {
  return [dim = node.integer("dim"), start = node.integer("start"), length = node.integer("length")](const Inputs& in) {
    return at::narrow(in[0], dim, start, length);
  };
}

Forward make_roll(const Node& node) {
  const std::vector<std::int64_t> shifts = node.integers("shifts");
  if (std::ranges::count(shifts, 0) == std::ssize(shifts)) return [](const Inputs& in) { return in[0]; };
  return [shifts, dims = node.integers("dims")](const Inputs& in) { return at::roll(in[0], shifts, dims); };
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

struct LayerType {
  std::string_view name;
  Forward (*make)(const Node&);
};

constexpr std::array kLayerTypes{
    // Convolution, linear layers, embeddings and pooling.
    LayerType{"conv1d", [](const Node& node) { return make_convolution(node, at::conv1d); }},
    LayerType{"conv2d", [](const Node& node) { return make_convolution(node, at::conv2d); }},
    LayerType{"conv_transpose2d", make_conv_transpose2d}, LayerType{"linear", make_linear},
    LayerType{"embedding", make_embedding}, LayerType{"parameter", make_parameter},
    LayerType{"max_pool2d", make_max_pool2d}, LayerType{"avg_pool2d", make_avg_pool2d},
    LayerType{"adaptive_avg_pool2d",
              [](const Node& node) -> Forward {
                return [size = node.integers("output_size")](const Inputs& in) {
                  return at::adaptive_avg_pool2d(in[0], size);
                };
              }},
    // Normalisation and dropout: the layers that differ between training and inference.
    LayerType{"batch_norm2d", make_batch_norm2d}, LayerType{"layer_norm", make_layer_norm},
    LayerType{"group_norm", make_group_norm}, LayerType{"rms_norm", make_rms_norm}, LayerType{"dropout", make_dropout},
    LayerType{"stochastic_depth", make_stochastic_depth},
    // Attention, and the layers that make its position numbers and mask.
    LayerType{"position_ids", make_position_ids}, LayerType{"padding_mask", make_padding_mask},
    LayerType{"sinusoidal_embedding", make_sinusoidal_embedding},
    LayerType{"scaled_dot_product_attention", make_attention}, LayerType{"rope", make_rope}, LayerType{"moe", make_moe},
    LayerType{"relative_position_bias", make_relative_position_bias},
    LayerType{"window_position_bias", make_window_position_bias},
    // Layers that combine tensors.
    LayerType{"add", make_add},
    LayerType{"mul", [](const Node&) -> Forward { return [](const Inputs& in) { return at::mul(in[0], in[1]); }; }},
    LayerType{"matmul",
              [](const Node&) -> Forward { return [](const Inputs& in) { return at::matmul(in[0], in[1]); }; }},
    LayerType{"cat", make_cat}, LayerType{"scale", make_scale},
    // Element-wise activations and softmax.
    LayerType{"relu", [](const Node& node) { return choose(node, at::relu, at::relu_); }},
    LayerType{"relu6", [](const Node& node) { return choose(node, at::relu6, at::relu6_); }},
    LayerType{"silu", [](const Node& node) { return choose(node, at::silu, at::silu_); }},
    LayerType{"hardswish", [](const Node& node) { return choose(node, at::hardswish, at::hardswish_); }},
    LayerType{"hardsigmoid", [](const Node& node) { return choose(node, at::hardsigmoid, at::hardsigmoid_); }},
    LayerType{"leaky_relu", make_leaky_relu},
    LayerType{"gelu",
              [](const Node& node) -> Forward {
                return [approximate = node.option<std::string>("approximate")](const Inputs& in) {
                  return at::gelu(in[0], approximate);
                };
              }},
    LayerType{"sigmoid", [](const Node&) -> Forward { return [](const Inputs& in) { return at::sigmoid(in[0]); }; }},
    LayerType{"tanh", [](const Node&) -> Forward { return [](const Inputs& in) { return at::tanh(in[0]); }; }},
    LayerType{"softmax",
              [](const Node& node) -> Forward {
                return [dim = node.integer("dim")](const Inputs& in) { return at::softmax(in[0], dim); };
              }},
    // Views and reductions over dimensions.
    LayerType{"flatten", make_flatten}, LayerType{"unflatten", make_unflatten}, LayerType{"transpose", make_transpose},
    LayerType{"permute",
              [](const Node& node) -> Forward {
                return [dims = node.integers("dims")](const Inputs& in) { return at::permute(in[0], dims); };
              }},
    LayerType{"split", make_split}, LayerType{"roll", make_roll}, LayerType{"select", make_select},
    LayerType{"mean", make_mean}};

}  // namespace

at::Tensor Node::tensor(const std::string& role) const {
  for (std::size_t i = 0; i < plan_->tensors.size(); ++i) {
    if (plan_->tensors[i].role == role) return tensors_[i];
  }
  return {};
}

std::optional<at::Tensor> Node::optional_tensor(const std::string& role) const {
  at::Tensor found = tensor(role);
  return found.defined() ? std::optional(std::move(found)) : std::nullopt;
}

const nlohmann::json& Node::json_option(const std::string& name) const {
  const auto found = plan_->options.find(name);
  if (found == plan_->options.end()) {
    throw base::usage_error("layer '" + plan_->name + "': the plan lacks the option '" + name + "'");
  }
  return *found;
}

Forward make_forward(const Node& node) {
  const auto type = std::ranges::find(kLayerTypes, std::string_view(node.plan().type), &LayerType::name);
  if (type != kLayerTypes.end()) return type->make(node);
  throw base::usage_error("layer '" + node.plan().name + "': unknown type '" + node.plan().type + "'");
}

std::vector<std::string> layer_types() {
  std::vector<std::string> names;
  for (const LayerType& type : kLayerTypes) names.emplace_back(type.name);
  std::ranges::sort(names);
  return names;
}

}  // namespace mpsbench::nn
