#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

#include <cmath>

namespace mpsbench::model {

namespace {

using Kind = LayerOptionKind;

// Layers whose main part is a weight: convolution, linear, embedding.

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

void plan_conv2d(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 4, 4);
  const std::int64_t out = layer.integer("out_channels");
  const std::int64_t groups = layer.integer("groups");
  if (x[1] % groups != 0 || out % groups != 0) {
    throw layer.error_at("groups", "the " + std::to_string(x[1]) + " input and " + std::to_string(out) +
                                       " output channels cannot be split into " + std::to_string(groups) + " groups");
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
  const schema::Shape weight = layer.flag("transposed") ? schema::Shape{in, out} : schema::Shape{out, in};
  layer.add_parameter("weight", weight, uniform_by_fan_in(in), out);
  if (layer.flag("bias")) layer.add_parameter("bias", {out}, uniform_by_fan_in(in));
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

// Normalisation layers and dropout. They keep the shape of their input.

constexpr double kMaxEps = 1;
constexpr double kMaxScale = 1e6;

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

// Layers that transformers need in addition to linear layers and norms.

void plan_position_ids(LayerContext& layer) {
  const schema::Shape& ids = layer.integers(0, 2, 2);
  layer.set_output({1, ids[1]}, DType::int64, ids[1]);
}

void plan_padding_mask(LayerContext& layer) {
  const schema::Shape& mask = layer.integers(0, 2, 2);
  if (layer.input().high > 2) throw layer.error("the input may contain only 0 and 1");
  layer.set_output({mask[0], 1, 1, mask[1]}, DType::boolean);
}

void check_mask(LayerContext& layer, const schema::Shape& query, std::int64_t keys) {
  const Value& mask = layer.input(3);
  const schema::Shape scores{query[0], query[1], query[2], keys};
  if (mask.dtype != DType::boolean || broadcast(mask.shape, scores) != scores) {
    throw layer.error("input 4, the mask, must be the output of a padding_mask and fit " + schema::to_string(scores));
  }
  const bool is_causal = layer.flag("is_causal");
  if (is_causal || layer.integer("window") > 0)
    throw layer.error_at(is_causal ? "is_causal" : "window", "works only with three inputs, that is without a mask");
}

// How many pairs of a query and a key attention computes, out of QUERIES x KEYS. WINDOW 0: no limit.
std::int64_t attended_pairs(std::int64_t queries, std::int64_t keys, bool is_causal, std::int64_t window) {
  if (!is_causal && window == 0) return queries * keys;
  // Of equally many queries and keys: those at most WINDOW - 1 behind, the query's own among them.
  const std::int64_t width = window == 0 ? keys : window;
  const std::int64_t behind = width * keys - width * (width - 1) / 2;
  return is_causal ? behind : 2 * behind - keys;
}

void plan_attention(LayerContext& layer) {
  const schema::Shape& query = layer.floats(0, 4, 4);
  const schema::Shape& key = layer.floats(1, 4, 4);
  const schema::Shape& value = layer.floats(2, 4, 4);
  const bool same_batch = query[0] == key[0] && key[0] == value[0] && key[1] == value[1];
  if (!same_batch || query[3] != key[3] || key[2] != value[2]) {
    throw layer.error("query, key and value must have matching shapes [batch, heads, length, size]");
  }
  if (query[1] % key[1] != 0)
    throw layer.error("the " + std::to_string(query[1]) + " heads of queries cannot share the " +
                      std::to_string(key[1]) + " of keys and values evenly");
  if (layer.inputs() == 4) check_mask(layer, query, key[2]);
  if (layer.integer("window") >= key[2]) layer.set_option("window", 0);  // it leaves nothing out
  const bool is_causal = layer.flag("is_causal");
  const std::int64_t window = layer.integer("window");
  if ((is_causal || window > 0) && query[2] != key[2])
    throw layer.error_at(is_causal ? "is_causal" : "window", "needs as many queries as keys");
  layer.set_output({query[0], query[1], query[2], value[3]});
  // Forward: scores = query x key and output = weights x value. Backward: both factors of both products.
  const bool gradient = layer.input(0).requires_grad || layer.input(1).requires_grad || layer.input(2).requires_grad;
  const std::int64_t pairs = attended_pairs(query[2], key[2], is_causal, window);
  layer.count_macs({query[0], query[1], pairs, query[3] + value[3]}, {gradient, gradient});
}

void plan_rope(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 4, 4);
  if (layer.is_null("size")) layer.set_option("size", x.back());
  const std::int64_t size = layer.integer("size");
  if (size % 2 != 0 || size > x.back())
    throw layer.error_at("size", "must be even and at most the last dimension, " + std::to_string(x.back()));
  if (layer.is_null("llama3")) {
    layer.set_option("llama3", nlohmann::json::array());
  } else if (layer.count("llama3") != 4) {
    throw layer.error_at("llama3", "expected [factor, low frequency factor, high frequency factor, original length]");
  }
  layer.set_output(x);
}

}  // namespace

std::vector<LayerType> weighted_layers() {
  return {
      {"conv2d", plan_conv2d, Saves::input,
       with_inits({{"out_channels", Kind::size, kRequired, 1},
                   {"kernel_size", Kind::pair, kRequired, 1},
                   {"stride", Kind::pair, {1, 1}, 1},
                   {"padding", Kind::pair, {0, 0}},
                   {"dilation", Kind::pair, {1, 1}, 1},
                   {"groups", Kind::integer, 1, 1},
                   {"bias", Kind::boolean, true}})},
      {"linear", plan_linear, Saves::input,
       with_inits({{"out_features", Kind::size, kRequired, 1},
                   {"bias", Kind::boolean, true},
                   {"transposed", Kind::boolean, false},
                   {"weight_from", Kind::layer, nullptr}})},
      {"embedding",
       plan_embedding,
       Saves::nothing,
       {{"num_embeddings", Kind::size, kRequired, 1},
        {"embedding_dim", Kind::size, kRequired, 1},
        {"padding_idx", Kind::integer, nullptr},
        weight_init()}},
  };
}

std::vector<LayerType> normalisation_layers() {
  return {
      {"batch_norm2d", plan_batch_norm2d, Saves::input,
       with_inits({{"eps", Kind::number, 1e-5, 0, kMaxEps}, {"momentum", Kind::number, 0.1, 0, 1}})},
      {"layer_norm", plan_layer_norm, Saves::input,
       with_inits({{"normalized_shape", Kind::integers, nullptr, 1}, {"eps", Kind::number, 1e-5, 0, kMaxEps}})},
      {"group_norm", plan_group_norm, Saves::input,
       with_inits({{"num_groups", Kind::integer, kRequired, 1}, {"eps", Kind::number, 1e-5, 0, kMaxEps}})},
      {"rms_norm",
       plan_rms_norm,
       Saves::input,
       {{"eps", Kind::number, 1e-6, 0, kMaxEps}, {"offset", Kind::number, 0, 0, 1}, weight_init()}},
      {"dropout", plan_dropout, Saves::nothing, {{"p", Kind::number, 0.5, 0, 1}, {"inplace", Kind::boolean, false}}},
  };
}

std::vector<LayerType> attention_layers() {
  return {
      {"position_ids", plan_position_ids, Saves::nothing},
      {"padding_mask", plan_padding_mask, Saves::nothing},
      {"scaled_dot_product_attention",
       plan_attention,
       Saves::both,
       {{"dropout_p", Kind::number, 0.0, 0, 1},
        {"is_causal", Kind::boolean, false},
        {"window", Kind::integer, 0},
        {"scale", Kind::number, nullptr, 0, kMaxScale}},
       3,
       4},
      {"rope",
       plan_rope,
       Saves::nothing,
       {{"theta", Kind::number, 10000, 1, 1e12},
        {"size", Kind::integer, nullptr, 2},
        {"llama3", Kind::numbers, nullptr}}},
  };
}

}  // namespace mpsbench::model
