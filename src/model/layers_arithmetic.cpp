#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::model {

namespace {

using Kind = LayerOptionKind;

// Layers that combine tensors or reduce one.

constexpr std::size_t kMaxJoined = 64;
constexpr double kMaxFactor = 1e6;

schema::Shape joined_shape(const LayerContext& layer) {
  const auto shape = broadcast(layer.floats(0), layer.floats(1));
  if (!shape) throw layer.error("these two shapes cannot be broadcast: each dimension must be equal, or 1");
  return *shape;
}

void plan_add(LayerContext& layer) {
  const schema::Shape shape = joined_shape(layer);
  if (layer.flag("inplace")) {
    if (shape != layer.input(0).shape) {
      throw layer.error_at("inplace", "the first input must have the shape of the sum, " + schema::to_string(shape));
    }
    layer.set_storage(Storage::in_place);
  }
  layer.set_output(shape);
}

void plan_mul(LayerContext& layer) {
  layer.set_output(joined_shape(layer));
}

// Folds the power of the last dimension into the factor, so that it follows the network's width.
void plan_scale(LayerContext& layer) {
  const schema::Shape& x = layer.floats();
  const double power = std::pow(static_cast<double>(x.back()), layer.number("power"));
  layer.set_option("factor", layer.number("factor") * power);
  layer.set_output(x);
}

void plan_matmul(LayerContext& layer) {
  const schema::Shape& a = layer.floats(0, 2);
  const schema::Shape& b = layer.floats(1, 2);
  const auto batch = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
  const std::int64_t inner = a.back();
  if (!batch || inner != b[b.size() - 2])
    throw layer.error(
        "these two shapes cannot be multiplied: [..., N, K] needs [..., K, M]; the rest must be equal or 1");
  const std::int64_t rows = a[a.size() - 2];
  const std::int64_t columns = b.back();
  schema::Shape shape = *batch;
  shape.push_back(rows);
  shape.push_back(columns);
  layer.set_output(shape);
  layer.count_macs({elements(*batch).value_or(kMaxElements), rows, columns, inner},
                   {layer.input(0).requires_grad, layer.input(1).requires_grad});
}

void plan_cat(LayerContext& layer) {
  schema::Shape shape = layer.floats(0, 2);
  const std::size_t dim = layer.dimension("dim", layer.integer("dim"), shape.size());
  for (std::size_t i = 1; i < layer.inputs(); ++i) {
    schema::Shape other = layer.floats(i, shape.size(), shape.size());
    const std::int64_t size = other[dim];
    other[dim] = shape[dim];
    if (other != shape) {
      throw layer.error("input " + std::to_string(i + 1) + " may differ from the first input only in dimension " +
                        std::to_string(dim));
    }
    shape[dim] = sum(shape[dim], size).value_or(kMaxMacs);
  }
  layer.set_output(shape);
}

void plan_mean(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  std::vector<bool> reduced(x.size(), false);
  for (const std::int64_t value : layer.list("dims")) {
    const std::size_t dim = layer.dimension("dims", value, x.size());
    if (reduced[dim]) throw layer.error_at("dims", "names dimension " + std::to_string(dim) + " twice");
    reduced[dim] = true;
  }
  schema::Shape shape;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!reduced[i]) shape.push_back(x[i]);
    if (reduced[i] && layer.flag("keepdim")) shape.push_back(1);
  }
  layer.set_output(shape);
}

// Element-wise functions of one input, and softmax.

void plan_activation(LayerContext& layer) {
  layer.set_output(layer.floats());
}

void plan_maybe_in_place(LayerContext& layer) {
  layer.set_output(layer.floats());
  if (layer.flag("inplace")) layer.set_storage(Storage::in_place);
}

void plan_softmax(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  static_cast<void>(layer.dimension("dim", layer.integer("dim"), x.size()));
  layer.set_output(x);
}

const LayerOption kInPlace{"inplace", Kind::boolean, false};

}  // namespace

std::vector<LayerType> arithmetic_layers() {
  return {
      {"add", plan_add, Saves::nothing, {kInPlace}, 2},
      {"mul", plan_mul, Saves::factors, {}, 2},
      {"scale",
       plan_scale,
       Saves::nothing,
       {{"factor", Kind::number, 1, -kMaxFactor, kMaxFactor},
        {"power", Kind::number, 0, -2, 2},
        {"offset", Kind::number, 0, -kMaxFactor, kMaxFactor}}},
      {"matmul", plan_matmul, Saves::factors, {}, 2},
      {"cat", plan_cat, Saves::nothing, {{"dim", Kind::integer, 1, -8, 7}}, 1, kMaxJoined},
      {"mean",
       plan_mean,
       Saves::nothing,
       {{"dims", Kind::integers, kRequired, -8, 7}, {"keepdim", Kind::boolean, false}}},
  };
}

std::vector<LayerType> activation_layers() {
  return {
      {"relu", plan_maybe_in_place, Saves::output, {kInPlace}},
      {"relu6", plan_maybe_in_place, Saves::input, {kInPlace}},
      {"leaky_relu",
       plan_maybe_in_place,
       Saves::input_or_output,
       {{"negative_slope", Kind::number, 0.01, 0, 1}, kInPlace}},
      {"gelu", plan_activation, Saves::input, {{"approximate", Kind::choice, "none", 0, 0, {"none", "tanh"}}}},
      {"silu", plan_maybe_in_place, Saves::input, {kInPlace}},
      {"hardswish", plan_maybe_in_place, Saves::input, {kInPlace}},
      {"hardsigmoid", plan_maybe_in_place, Saves::input, {kInPlace}},
      {"sigmoid", plan_activation, Saves::output},
      {"tanh", plan_activation, Saves::output},
      {"softmax", plan_softmax, Saves::output, {{"dim", Kind::integer, kRequired, -8, 7}}},
  };
}

}  // namespace mpsbench::model
