#include "nn/moe.hpp"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

#include <optional>

namespace mpsbench::nn {

namespace {

// Multiplies the rows of each expert, which are sorted by experts and end at ENDS, by its matrix. Autocast does not
// know this operation.
at::Tensor grouped(const at::Tensor& rows, const at::Tensor& weights, const at::Tensor& ends) {
  const at::DeviceType device = rows.device().type();
  const bool casts = at::autocast::is_autocast_enabled(device);
  const at::ScalarType type = casts ? at::autocast::get_autocast_dtype(device) : rows.scalar_type();
  return at::_grouped_mm(rows.to(type), weights.to(type).transpose(1, 2), ends);
}

}  // namespace

Forward make_moe(const Node& node) {
  return [gate_up = node.tensor("gate_up_proj"), down = node.tensor("down_proj"), top_k = node.integer("top_k"),
          softmax_first = node.option<std::string>("router") == "softmax_top_k",
          renormalize = node.flag("renormalize")](const Inputs& in) {
    const at::Tensor states = in[0].flatten(0, -2);
    const at::Tensor logits = in[1].flatten(0, -2).to(at::kFloat);
    auto [weights, chosen] = at::topk(softmax_first ? at::softmax(logits, -1) : logits, top_k);
    if (!softmax_first) weights = at::softmax(weights, -1);
    if (renormalize) weights = weights / weights.sum(-1, /*keepdim=*/true);
    // Each state stands once for each of its experts, sorted by these.
    const auto [ids, order] = at::sort(chosen.flatten(), std::optional(true) /*stable*/, /*dim=*/0);
    const at::Tensor experts = at::arange(gate_up.size(0), ids.options());
    const at::Tensor ends = at::searchsorted(ids, experts, /*out_int32=*/true, /*right=*/true);
    const at::Tensor rows = states.index_select(0, at::div(order, top_k, "floor"));
    const std::vector<at::Tensor> halves = grouped(rows, gate_up, ends).chunk(2, -1);
    at::Tensor out = grouped(at::silu(halves[0]) * halves[1], down, ends);
    out = out * weights.flatten().index_select(0, order).unsqueeze(1).to(out.scalar_type());
    const at::Tensor place = at::empty_like(order).scatter_(0, order, at::arange(order.size(0), order.options()));
    return out.index_select(0, place).unflatten(0, {-1, top_k}).sum(1).view_as(in[0]);
  };
}

}  // namespace mpsbench::nn
