// Attention and what feeds it.
#include "nn/registry.hpp"

#include <ATen/ATen.h>

#include <array>

namespace mpsbench::nn {
namespace {

// 0, 1, ... along dimension 1 of the input, as [1, length]; made once for the longest, as transformers keeps
// it in a buffer.
Forward make_position_ids(const Node&) {
  return [cached = at::Tensor()](const Inputs& in) mutable {
    const std::int64_t length = in[0].size(1);
    if (!cached.defined() || cached.size(1) < length)
      cached = at::arange(length, at::device(in[0].device()).dtype(at::kLong)).unsqueeze(0);
    return cached.size(1) == length ? cached : cached.narrow(1, 0, length);
  };
}

// [batch, length] of 0 and 1 -> [batch, 1, 1, length] of bool, true where there is something to attend to.
// An all-ones mask becomes no mask, as in transformers. On an accelerator looking waits for the device, so a
// batch that stays the same is looked at once; texts of files, which overwrite each other there, keep their
// masks unseen.
Forward make_padding_mask(const Node& node) {
  const bool padded = node.plan().options.value(schema::kPaddedTexts, false);
  return [padded, last = at::Tensor(), all_ones = false](const Inputs& in) mutable {
    if (in[0].is_cpu() || !(padded || last.is_same(in[0]))) {
      last = in[0];
      all_ones = last.all().item<bool>();
    }
    return all_ones ? at::Tensor() : in[0].to(at::kBool).unsqueeze(1).unsqueeze(1);
  };
}

Forward make_attention(const Node& node) {
  const double dropout = node.training() ? node.number("dropout_p") : 0;
  return [dropout, causal = node.flag("is_causal")](const Inputs& in) {
    const std::optional<at::Tensor> mask =
        in.size() > 3 && in[3].defined() ? std::optional(in[3]) : std::nullopt;
    // Where nothing asks for gradients, as in a frozen backbone, LibTorch takes MPS's own kernel. That has no
    // dropout: up to 2.12 it leaves it out without a word, from 2.13 on it refuses.
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
