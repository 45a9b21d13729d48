#include "nn/cache.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

namespace mpsbench::nn {

Cache::Cache(const schema::NetworkPlan& plan, std::int64_t rows, std::int64_t capacity,
             const at::TensorOptions& options, Positions positions)
    : capacity_(capacity) {
  const std::int64_t allocated = schema::allocated_positions(capacity);
  const auto allocate = [&](int slot) {
    const schema::Shape& shape = std::ranges::find(plan.nodes, slot, &schema::NetworkNode::output)->shape;
    return at::zeros({rows, shape.at(1), allocated, shape.at(3)}, options);
  };
  for (const schema::NetworkNode& node : plan.nodes) {
    if (node.type != "scaled_dot_product_attention") continue;
    order_.push_back(node.name);
    layers_.emplace(node.name, Entry{allocate(node.inputs.at(1)), allocate(node.inputs.at(2))});
  }
  if (positions == Positions::of_host) return;
  place_ = at::zeros({1}, options.dtype(at::kLong));
  positions_ = at::arange(allocated, options.dtype(at::kLong));
}

void Cache::set_position(std::int64_t position) {
  move_to(position);
  if (place_.defined()) place_.fill_(position);
}

void Cache::advance() {
  move_to(position_ + 1);
  if (place_.defined()) place_.add_(1);
}

void Cache::move_to(std::int64_t position) {
  position_ = position;
  biases_.clear();
  rows_.clear();
}

const at::Tensor& Cache::bias(std::int64_t window) {
  at::Tensor& bias = biases_[window];
  if (bias.defined()) return bias;
  at::Tensor hidden = positions_ > place_;
  if (window > 0) hidden = hidden.logical_or(positions_ <= place_ - window);
  const at::Tensor& like = layers_.begin()->second.keys;
  return bias =
             at::zeros_like(positions_, like.options()).masked_fill_(hidden, -std::numeric_limits<double>::infinity());
}

const at::Tensor& Cache::row_at_place(const at::Tensor& table) {
  at::Tensor& row = rows_[table.unsafeGetTensorImpl()];
  if (!row.defined()) row = table.index_select(0, place_);
  return row;
}

std::vector<at::Tensor> Cache::tensors() const {
  std::vector<at::Tensor> all;
  for (const std::string& name : order_) {
    const Entry& entry = layers_.at(name);
    all.insert(all.end(), {entry.keys, entry.values});
  }
  return all;
}

}  // namespace mpsbench::nn
