// Attention, and the layers that make its position numbers and mask.
#include "nn/registry.hpp"

#include <ATen/ATen.h>

#include <array>

namespace mpsbench::nn {
namespace {

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
    const std::optional<at::Tensor> mask =
        in.size() > 3 && in[3].defined() ? std::optional(in[3]) : std::nullopt;
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

std::span<const LayerFactory> attention_layers() {
  static constexpr std::array<LayerFactory, 3> kLayers{{{"position_ids", make_position_ids},
                                                        {"padding_mask", make_padding_mask},
                                                        {"scaled_dot_product_attention", make_attention}}};
  return kLayers;
}

}  // namespace mpsbench::nn
