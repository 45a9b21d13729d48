// Normalisation layers and dropout. They keep the shape of their input.
#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

namespace mpsbench::model {
namespace {

constexpr double kMaxEps = 1;

void add_scale_and_shift(LayerContext& layer, const schema::Shape& shape) {
  layer.add_parameter("weight", shape, {"ones"});
  layer.add_parameter("bias", shape, {"zeros"});
}

void plan_batch_norm2d(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 4, 4);
  if (layer.training() && x[0] * x[2] * x[3] == 1) {
    throw layer.error("training a batch norm needs more than one value per channel; use a larger batch size");
  }
  layer.set_output(x);
  add_scale_and_shift(layer, {x[1]});
  layer.add_buffer("running_mean", {x[1]}, DType::float32, "zeros");
  layer.add_buffer("running_var", {x[1]}, DType::float32, "ones");
  layer.add_buffer("num_batches_tracked", {}, DType::int64, "zeros");
}

void plan_layer_norm(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  if (layer.is_null("normalized_shape"))
    layer.set_option("normalized_shape", nlohmann::json::array({x.back()}));
  const schema::Shape shape = layer.list("normalized_shape");
  if (shape.size() >= x.size() || !std::equal(shape.rbegin(), shape.rend(), x.rbegin())) {
    throw layer.error_at("normalized_shape",
                         schema::to_string(shape) + " must equal the last dimensions of the input's shape");
  }
  layer.set_output(x);
  add_scale_and_shift(layer, shape);
}

void plan_group_norm(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  if (x[1] % layer.integer("num_groups") != 0) {
    throw layer.error_at("num_groups", std::to_string(x[1]) + " channels cannot be split into " +
                                           std::to_string(layer.integer("num_groups")) + " groups");
  }
  layer.set_output(x);
  add_scale_and_shift(layer, {x[1]});
}

void plan_dropout(LayerContext& layer) {
  layer.set_output(layer.floats());
  if (!layer.training() || layer.number("p") == 0) {
    layer.set_storage(Storage::view);  // returns its input
  } else if (layer.flag("inplace")) {
    layer.set_storage(Storage::in_place);
  }
}

}  // namespace

std::vector<LayerType> normalisation_layers() {
  return {
      {"batch_norm2d",
       1,
       1,
       Saves::input,
       {optional("eps", LayerOptionKind::number, 1e-5, 0, kMaxEps),
        optional("momentum", LayerOptionKind::number, 0.1, 0, 1), init_option("weight_init"),
        init_option("bias_init")},
       plan_batch_norm2d},
      {"layer_norm",
       1,
       1,
       Saves::input,
       {optional("normalized_shape", LayerOptionKind::integers, nullptr, 1),
        optional("eps", LayerOptionKind::number, 1e-5, 0, kMaxEps), init_option("weight_init"),
        init_option("bias_init")},
       plan_layer_norm},
      {"group_norm",
       1,
       1,
       Saves::input,
       {required("num_groups", LayerOptionKind::integer),
        optional("eps", LayerOptionKind::number, 1e-5, 0, kMaxEps), init_option("weight_init"),
        init_option("bias_init")},
       plan_group_norm},
      {"dropout",
       1,
       1,
       Saves::nothing,
       {optional("p", LayerOptionKind::number, 0.5, 0, 1),
        optional("inplace", LayerOptionKind::boolean, false)},
       plan_dropout},
  };
}

}  // namespace mpsbench::model
