// Element-wise functions of one input, and softmax.
#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

namespace mpsbench::model {
namespace {

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

LayerOption inplace() {
  return optional("inplace", LayerOptionKind::boolean, false);
}

}  // namespace

std::vector<LayerType> activation_layers() {
  return {
      {"relu", 1, 1, Saves::output, {inplace()}, plan_maybe_in_place},
      {"relu6", 1, 1, Saves::input, {inplace()}, plan_maybe_in_place},
      {"leaky_relu",
       1,
       1,
       Saves::input_or_output,
       {optional("negative_slope", LayerOptionKind::number, 0.01, 0, 1), inplace()},
       plan_maybe_in_place},
      {"gelu", 1, 1, Saves::input, {choice("approximate", {"none", "tanh"})}, plan_activation},
      {"silu", 1, 1, Saves::input, {inplace()}, plan_maybe_in_place},
      {"hardswish", 1, 1, Saves::input, {inplace()}, plan_maybe_in_place},
      {"hardsigmoid", 1, 1, Saves::input, {inplace()}, plan_maybe_in_place},
      {"sigmoid", 1, 1, Saves::output, {}, plan_activation},
      {"tanh", 1, 1, Saves::output, {}, plan_activation},
      {"softmax", 1, 1, Saves::output, {required("dim", LayerOptionKind::integer, -8, 7)}, plan_softmax},
  };
}

}  // namespace mpsbench::model
