#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

#include <cmath>

namespace mpsbench::model {

namespace {

using Kind = LayerOptionKind;

// Layers whose main part is a weight: convolution, linear, embedding, parameter.

LayerOption weight_init() {
  return {"weight_init", Kind::init, "default"};
}

std::vector<LayerOption> with_inits(std::vector<LayerOption> options) {
  options.push_back(weight_init());
  options.push_back({"bias_init", Kind::init, "default"});
  return options;
}

// torch.nn draws weights and biases of conv and linear layers within this bound. For weights it follows from
// kaiming_uniform_(a=sqrt(5)).
DefaultInit uniform_by_fan_in(std::int64_t fan_in) {
  return {"uniform", 1 / std::sqrt(static_cast<double>(fan_in))};
}

// DIMS: of the input, without batch and channels.
void plan_conv(LayerContext& layer, std::size_t dims) {
  const schema::Shape& x = layer.floats(0, dims + 2, dims + 2);
  const std::int64_t out = layer.integer("out_channels");
  const std::int64_t groups = layer.integer("groups");
  if (x[1] % groups != 0 || out % groups != 0) {
    throw layer.error_at("groups", "the " + std::to_string(x[1]) + " input and " + std::to_string(out) +
                                       " output channels cannot be split into " + std::to_string(groups) + " groups");
  }
  const auto each_dim = [&](const char* option) {
    std::vector<std::int64_t> values = layer.list(option);
    if (values.size() != dims) throw layer.error_at(option, "expected one whole number");
    return values;
  };
  const std::vector<std::int64_t> kernel = each_dim("kernel_size");
  const std::vector<std::int64_t> stride = each_dim("stride");
  const std::vector<std::int64_t> padding = each_dim("padding");
  const std::vector<std::int64_t> dilation = each_dim("dilation");
  const std::int64_t in = x[1] / groups;
  schema::Shape output{x[0], out};
  schema::Shape weight{out, in};
  for (std::size_t d = 0; d < dims; ++d) {
    output.push_back(window_output(x[d + 2], {kernel[d], stride[d], padding[d], dilation[d]}));
    weight.push_back(kernel[d]);
    if (output.back() < 1)
      throw layer.error_at("kernel_size",
                           "the kernel is larger than the padded input; lower kernel_size or raise padding");
  }
  const auto weights = elements(weight);
  if (!weights) throw layer.error("the weight " + schema::to_string(weight) + " is larger than any machine's memory");
  const std::int64_t fan_in = *weights / out;
  const bool gradient = layer.input().requires_grad;
  layer.set_output(output);
  layer.add_parameter("weight", weight, uniform_by_fan_in(fan_in), *weights / in);
  if (layer.flag("bias")) layer.add_parameter("bias", {out}, uniform_by_fan_in(fan_in));
  layer.count_macs({elements(output).value_or(0), fan_in}, {true, gradient});
}

void plan_conv1d(LayerContext& layer) {
  plan_conv(layer, 1);
}
void plan_conv2d(LayerContext& layer) {
  plan_conv(layer, 2);
}

// The transpose of a convolution, which makes an image larger.
void plan_conv_transpose2d(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 4, 4);
  const std::int64_t out = layer.integer("out_channels");
  const Pair kernel = layer.pair("kernel_size");
  const Pair stride = layer.pair("stride");
  const Pair padding = layer.pair("padding");
  const schema::Shape output{x[0], out, (x[2] - 1) * stride.first - 2 * padding.first + kernel.first,
                             (x[3] - 1) * stride.second - 2 * padding.second + kernel.second};
  if (output[2] < 1 || output[3] < 1) throw layer.error_at("padding", "leaves nothing of the image");
  const schema::Shape weight{x[1], out, kernel.first, kernel.second};
  const auto weights = elements(weight);
  if (!weights) throw layer.error("the weight " + schema::to_string(weight) + " is larger than any machine's memory");
  const std::int64_t fan_in = *weights / x[1];  // torch.nn's: of the second dimension
  const bool gradient = layer.input().requires_grad;
  layer.set_output(output);
  layer.add_parameter("weight", weight, uniform_by_fan_in(fan_in), *weights / out);
  if (layer.flag("bias")) layer.add_parameter("bias", {out}, uniform_by_fan_in(fan_in));
  layer.count_macs({elements(x).value_or(0), fan_in}, {true, gradient});
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
  const schema::Shape weight = layer.flag("transposed") ? schema::Shape{in, out} : schema::Shape{out, in};
  layer.add_parameter("weight", weight, uniform_by_fan_in(in), out);
  if (layer.flag("bias")) layer.add_parameter("bias", {out}, uniform_by_fan_in(in));
  if (layer.inputs() == 2) {
    if (layer.floats(1) != schema::Shape{out})
      throw layer.error("input 2, the bias, must have the shape " + schema::to_string({out}));
    if (layer.flag("bias")) throw layer.error_at("bias", "must be false, because input 2 is the bias");
  }
  layer.count_macs({rows, in, out}, {true, gradient});
}

void plan_embedding(LayerContext& layer) {
  schema::Shape shape = layer.integers();
  const std::int64_t count = layer.integer("num_embeddings");
  if (layer.input().high > count) {
    throw layer.error_at("num_embeddings", "the input has numbers up to " + std::to_string(layer.input().high - 1) +
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

// A tensor that no other layer has, such as the positions or the class token of a vision transformer.
void plan_parameter(LayerContext& layer) {
  schema::Shape shape = layer.list("shape");
  layer.add_parameter("", shape, {"zeros"});
  if (!layer.flag("trainable")) layer.freeze();
  layer.set_storage(Storage::parameter);
  if (layer.flag("expand")) {
    if (shape.front() != 1) throw layer.error_at("expand", "needs a shape whose first size is 1, for the batch");
    shape.front() = layer.input().shape.front();
  }
  layer.set_output(shape);
}

// Normalisation layers and dropout. They keep the shape of their input.

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
  if (layer.is_null("normalized_shape")) layer.set_option("normalized_shape", nlohmann::json::array({x.back()}));
  const schema::Shape shape = layer.list("normalized_shape");
  if (shape.size() >= x.size() || !std::equal(shape.rbegin(), shape.rend(), x.rbegin())) {
    throw layer.error_at("normalized_shape",
                         schema::to_string(shape) + " must equal the last dimensions of the input's shape");
  }
  layer.set_output(x);
  if (!layer.flag("elementwise_affine")) return;
  layer.add_parameter("weight", shape, {"ones"});
  if (layer.flag("bias")) layer.add_parameter("bias", shape, {"zeros"});
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

void plan_rms_norm(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  layer.set_output(x);
  layer.add_parameter("weight", {x.back()}, {layer.number("offset") == 0 ? "ones" : "zeros"});
}

void plan_dropout(LayerContext& layer) {
  layer.set_output(layer.floats());
  if (!layer.training() || layer.number("p") == 0) {
    layer.set_storage(Storage::view);  // returns its input
  } else if (layer.flag("inplace")) {
    layer.set_storage(Storage::in_place);
  }
}

// Leaves out whole rows of a residual branch.
void plan_stochastic_depth(LayerContext& layer) {
  layer.set_output(layer.floats(0, 2));
  if (!layer.training() || layer.number("p") == 0) layer.set_storage(Storage::view);  // returns its input
}

}  // namespace

std::vector<LayerType> weighted_layers() {
  return {
      {"conv1d", plan_conv1d, Saves::input,
       with_inits({{"out_channels", Kind::size, kRequired, 1},
                   {"kernel_size", Kind::integers, kRequired, 1},
                   {"stride", Kind::integers, {1}, 1},
                   {"padding", Kind::integers, {0}},
                   {"dilation", Kind::integers, {1}, 1},
                   {"groups", Kind::integer, 1, 1},
                   {"bias", Kind::boolean, true}})},
      {"conv2d", plan_conv2d, Saves::input,
       with_inits({{"out_channels", Kind::size, kRequired, 1},
                   {"kernel_size", Kind::pair, kRequired, 1},
                   {"stride", Kind::pair, {1, 1}, 1},
                   {"padding", Kind::pair, {0, 0}},
                   {"dilation", Kind::pair, {1, 1}, 1},
                   {"groups", Kind::integer, 1, 1},
                   {"bias", Kind::boolean, true}})},
      {"conv_transpose2d", plan_conv_transpose2d, Saves::input,
       with_inits({{"out_channels", Kind::size, kRequired, 1},
                   {"kernel_size", Kind::pair, kRequired, 1},
                   {"stride", Kind::pair, {1, 1}, 1},
                   {"padding", Kind::pair, {0, 0}},
                   {"bias", Kind::boolean, true}})},
      {"linear", plan_linear, Saves::input,
       with_inits({{"out_features", Kind::size, kRequired, 1},
                   {"bias", Kind::boolean, true},
                   {"transposed", Kind::boolean, false},
                   {"separator", Kind::choice, ".", 0, 0, {".", "_"}},
                   {"weight_from", Kind::layer, nullptr}}),
       1, 2},
      {"embedding",
       plan_embedding,
       Saves::nothing,
       {{"num_embeddings", Kind::size, kRequired, 1},
        {"embedding_dim", Kind::size, kRequired, 1},
        {"padding_idx", Kind::integer, nullptr},
        {"weight_from", Kind::layer, nullptr},
        weight_init()}},
      {"parameter",
       plan_parameter,
       Saves::nothing,
       {{"shape", Kind::integers, kRequired, 1},
        {"expand", Kind::boolean, false},
        {"trainable", Kind::boolean, true},
        {"init", Kind::init, "default"}}},
  };
}

std::vector<LayerType> normalisation_layers() {
  return {
      {"batch_norm2d", plan_batch_norm2d, Saves::input,
       with_inits({{"eps", Kind::number, 1e-5, 0, kMaxEps}, {"momentum", Kind::number, 0.1, 0, 1}})},
      {"layer_norm", plan_layer_norm, Saves::input,
       with_inits({{"normalized_shape", Kind::integers, nullptr, 1},
                   {"eps", Kind::number, 1e-5, 0, kMaxEps},
                   {"elementwise_affine", Kind::boolean, true},
                   {"bias", Kind::boolean, true}})},
      {"group_norm", plan_group_norm, Saves::input,
       with_inits({{"num_groups", Kind::integer, kRequired, 1}, {"eps", Kind::number, 1e-5, 0, kMaxEps}})},
      {"rms_norm",
       plan_rms_norm,
       Saves::input,
       {{"eps", Kind::number, 1e-6, 0, kMaxEps}, {"offset", Kind::number, 0, 0, 1}, weight_init()}},
      {"dropout", plan_dropout, Saves::nothing, {{"p", Kind::number, 0.5, 0, 1}, {"inplace", Kind::boolean, false}}},
      {"stochastic_depth", plan_stochastic_depth, Saves::nothing, {{"p", Kind::number, kRequired, 0, 1}}},
  };
}

}  // namespace mpsbench::model
