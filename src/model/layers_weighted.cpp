// Layers whose main part is a weight: convolution, linear, embedding.
#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

#include <cmath>

namespace mpsbench::model {
namespace {

// torch.nn draws weights and biases of conv and linear layers within this bound. For weights it follows from
// kaiming_uniform_(a=sqrt(5)).
DefaultInit uniform_by_fan_in(std::int64_t fan_in) {
  return {"uniform", 1 / std::sqrt(static_cast<double>(fan_in))};
}

void plan_conv2d(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 4, 4);
  const std::int64_t out = layer.integer("out_channels");
  const std::int64_t groups = layer.integer("groups");
  if (x[1] % groups != 0 || out % groups != 0) {
    throw layer.error_at("groups", "the " + std::to_string(x[1]) + " input and " + std::to_string(out) +
                                       " output channels cannot be split into " + std::to_string(groups) +
                                       " groups");
  }
  const auto [kernel_h, kernel_w] = layer.pair("kernel_size");
  const auto [stride_h, stride_w] = layer.pair("stride");
  const auto [padding_h, padding_w] = layer.pair("padding");
  const auto [dilation_h, dilation_w] = layer.pair("dilation");
  const std::int64_t height = window_output(x[2], {kernel_h, stride_h, padding_h, dilation_h});
  const std::int64_t width = window_output(x[3], {kernel_w, stride_w, padding_w, dilation_w});
  if (height < 1 || width < 1)
    throw layer.error_at("kernel_size",
                         "the kernel is larger than the padded image; lower kernel_size or raise padding");

  const std::int64_t in = x[1] / groups;
  const schema::Shape weight{out, in, kernel_h, kernel_w};
  if (!elements(weight))
    throw layer.error("the weight " + schema::to_string(weight) + " is larger than any machine's memory");
  const std::int64_t window = kernel_h * kernel_w;
  const bool gradient = layer.input().requires_grad;
  layer.set_output({x[0], out, height, width});
  layer.add_parameter("weight", weight, uniform_by_fan_in(in * window), out * window);
  if (layer.flag("bias")) layer.add_parameter("bias", {out}, uniform_by_fan_in(in * window));
  layer.count_macs({x[0], out, height, width, in, window}, {true, gradient});
}

void plan_linear(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  const std::int64_t in = x.back();
  const std::int64_t out = layer.integer("out_features");
  const std::int64_t rows = elements(x).value_or(0) / in;
  const bool gradient = layer.input().requires_grad;
  schema::Shape shape = x;
  shape.back() = out;
  layer.set_output(shape);
  layer.add_parameter("weight", {out, in}, uniform_by_fan_in(in), out);
  if (layer.flag("bias")) layer.add_parameter("bias", {out}, uniform_by_fan_in(in));
  layer.count_macs({rows, in, out}, {true, gradient});
}

void plan_embedding(LayerContext& layer) {
  schema::Shape shape = layer.integers();
  const std::int64_t count = layer.integer("num_embeddings");
  if (layer.input().high > count) {
    throw layer.error_at("num_embeddings",
                         "the input has numbers up to " + std::to_string(layer.input().high - 1) +
                             ", so this must be at least " + std::to_string(layer.input().high));
  }
  shape.push_back(layer.integer("embedding_dim"));
  layer.set_output(shape);
  layer.add_parameter("weight", {count, shape.back()}, {"normal", 1});
  if (layer.is_null("padding_idx")) return;
  if (layer.integer("padding_idx") >= count) {
    throw layer.error_at("padding_idx", "must be below num_embeddings, " + std::to_string(count));
  }
  layer.zero_row(layer.integer("padding_idx"));
}

}  // namespace

std::vector<LayerType> weighted_layers() {
  return {
      {"conv2d",
       1,
       1,
       Saves::input,
       {required("out_channels", LayerOptionKind::integer), required("kernel_size", LayerOptionKind::pair),
        optional("stride", LayerOptionKind::pair, {1, 1}, 1),
        optional("padding", LayerOptionKind::pair, {0, 0}),
        optional("dilation", LayerOptionKind::pair, {1, 1}, 1),
        optional("groups", LayerOptionKind::integer, 1, 1), optional("bias", LayerOptionKind::boolean, true),
        init_option("weight_init"), init_option("bias_init")},
       plan_conv2d},
      {"linear",
       1,
       1,
       Saves::input,
       {required("out_features", LayerOptionKind::integer), optional("bias", LayerOptionKind::boolean, true),
        init_option("weight_init"), init_option("bias_init")},
       plan_linear},
      {"embedding",
       1,
       1,
       Saves::nothing,
       {required("num_embeddings", LayerOptionKind::integer),
        required("embedding_dim", LayerOptionKind::integer),
        optional("padding_idx", LayerOptionKind::integer, nullptr), init_option("weight_init")},
       plan_embedding},
  };
}

}  // namespace mpsbench::model
