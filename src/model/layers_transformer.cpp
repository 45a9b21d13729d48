#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

#include <algorithm>

namespace mpsbench::model {

namespace {

using Kind = LayerOptionKind;

constexpr double kMaxScale = 1e6;

// Layers that transformers need in addition to linear layers and norms.

void plan_position_ids(LayerContext& layer) {
  const schema::Shape& ids = layer.integers(0, 2, 2);
  const std::int64_t positions = layer.cache() ? layer.cache()->capacity : ids[1];
  layer.set_output({1, ids[1]}, DType::int64, layer.integer("start") + positions);
}

// Cosines and sines of a number times falling frequencies.
void plan_sinusoidal_embedding(LayerContext& layer) {
  schema::Shape shape = layer.integers();
  if (layer.integer("size") % 2 != 0) throw layer.error_at("size", "must be even");
  shape.push_back(layer.integer("size"));
  layer.set_output(shape);
}

void plan_padding_mask(LayerContext& layer) {
  const schema::Shape& mask = layer.integers(0, 2, 2);
  if (layer.input().high > 2) throw layer.error("the input may contain only 0 and 1");
  layer.set_output({mask[0], 1, 1, mask[1]}, DType::boolean);
}

void check_mask(LayerContext& layer, const schema::Shape& query, std::int64_t keys) {
  const Value& mask = layer.input(3);
  const schema::Shape scores{query[0], query[1], query[2], keys};
  if (mask.dtype == DType::int64 || broadcast(mask.shape, scores) != scores) {
    throw layer.error("input 4 must be a padding_mask or a bias, which is added to the scores, and fit " +
                      schema::to_string(scores));
  }
  const bool is_causal = layer.flag("is_causal");
  if (is_causal || layer.integer("window") > 0)
    throw layer.error_at(is_causal ? "is_causal" : "window", "works only with three inputs, that is without a mask");
}

// How many pairs of a query and a key attention computes, out of QUERIES x KEYS. The last query is at the last key's
// position. WINDOW 0: no limit.
std::int64_t attended_pairs(std::int64_t queries, std::int64_t keys, bool is_causal, std::int64_t window) {
  if (!is_causal && window == 0) return queries * keys;
  // Those at most WINDOW - 1 behind, the query's own among them. The first queries have fewer keys.
  const std::int64_t width = window == 0 ? keys : window;
  const std::int64_t first = keys - queries + 1;
  const std::int64_t growing = std::clamp<std::int64_t>(width - first, 0, queries);
  const std::int64_t behind = growing * (first - 1) + growing * (growing + 1) / 2 + (queries - growing) * width;
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
  const bool is_causal = layer.flag("is_causal");
  if (layer.cache() && (!is_causal || query[2] != key[2]))
    throw layer.error("only causal attention can generate: a token may depend on those before it alone");
  const std::int64_t most_keys = layer.cache() ? layer.cache()->capacity : key[2];
  if (layer.integer("window") >= most_keys) layer.set_option("window", 0);  // it leaves nothing out
  const std::int64_t window = layer.integer("window");
  if ((is_causal || window > 0) && query[2] != key[2])
    throw layer.error_at(is_causal ? "is_causal" : "window", "needs as many queries as keys");
  layer.set_output({query[0], query[1], query[2], value[3]});
  // Forward: scores = query x key and output = weights x value. Backward: both factors of both products.
  const bool gradient = layer.input(0).requires_grad || layer.input(1).requires_grad || layer.input(2).requires_grad;
  const std::int64_t keys = key[2] + (layer.cache() ? layer.cache()->filled : 0);
  const std::int64_t pairs = attended_pairs(query[2], keys, is_causal, window);
  layer.count_macs({query[0], query[1], pairs, query[3] + value[3]}, {gradient, gradient});
}

// The biases of relative positions: input 1 is a table [rows, heads], and a pair of a query and a key reads one row.

// In T5, all pairs of one distance read the same row, and far distances share rows. Input 2 tells the length.
void plan_relative_position_bias(LayerContext& layer) {
  const schema::Shape& table = layer.floats(0, 2, 2);
  const std::int64_t length = layer.floats(1, 2)[1];
  const std::int64_t exact = table[0] / (layer.flag("is_causal") ? 2 : 4);
  if (exact < 1) throw layer.error("input 1, the table, needs at least 4 rows, or 2 if is_causal");
  if (layer.integer("max_distance") <= exact)
    throw layer.error_at("max_distance",
                         "must be above " + std::to_string(exact) + ", so that far distances share rows");
  layer.set_output({1, table[1], length, length});
}

// In Swin, a window's positions attend to each other. Input 2 tells the windows. Those behind a shift contain parts of
// opposite edges of the image, which do not attend to each other.
void plan_window_position_bias(LayerContext& layer) {
  const schema::Shape& table = layer.floats(0, 2, 2);
  const schema::Shape& windows = layer.floats(1, 5);
  const std::int64_t height = windows[3];
  const std::int64_t width = windows[4];
  const std::int64_t rows = (2 * height - 1) * (2 * width - 1);
  if (table[0] != rows)
    throw layer.error("input 1, the table, needs " + std::to_string(rows) + " rows for these windows");
  const auto [down, right] = layer.pair("shift");
  if (down >= height || right >= width) throw layer.error_at("shift", "must be smaller than a window");
  const auto count = product(windows[1] * windows[2], table[1], kMaxElements);
  layer.set_output({1, count.value_or(kMaxElements), height * width, height * width});
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

// The hidden states go to the top_k experts that have the largest logits, which are the second input.
void plan_moe(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  const schema::Shape& gate = layer.floats(1, 2);
  const std::int64_t hidden = x.back();
  const std::int64_t experts = gate.back();
  const std::int64_t inner = layer.integer("intermediate");
  const std::int64_t top_k = layer.integer("top_k");
  if (!std::equal(x.begin(), x.end() - 1, gate.begin(), gate.end() - 1))
    throw layer.error("input 2 must have logits of the experts for each row of input 1");
  if (top_k > experts)
    throw layer.error_at("top_k", "must be at most the number of experts, " + std::to_string(experts));
  // The kernels read rows of 16 bytes, in 16 bits, too.
  if (hidden % 8 != 0 || inner % 8 != 0)
    throw layer.error_at("intermediate", "this size, and the last one of the input, must be multiples of 8");
  const bool gradient = layer.input().requires_grad;
  layer.set_output(x);
  layer.add_parameter("gate_up_proj", {experts, 2 * inner, hidden}, {"normal", 0.02});
  layer.add_parameter("down_proj", {experts, hidden, inner}, {"normal", 0.02});
  layer.count_macs({elements(x).value_or(0), top_k, 3, inner}, {true, gradient});
}

}  // namespace

std::vector<LayerType> attention_layers() {
  return {
      {"position_ids", plan_position_ids, Saves::nothing, {{"start", Kind::integer, 0}}},
      {"sinusoidal_embedding",
       plan_sinusoidal_embedding,
       Saves::nothing,
       {{"size", Kind::size, kRequired, 2}, {"max_period", Kind::number, 10000, 1, 1e12}}},
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
      {"relative_position_bias",
       plan_relative_position_bias,
       Saves::nothing,
       {{"max_distance", Kind::integer, 128, 2}, {"is_causal", Kind::boolean, false}},
       2},
      {"window_position_bias", plan_window_position_bias, Saves::nothing, {{"shift", Kind::pair, {0, 0}}}, 2},
      {"rope",
       plan_rope,
       Saves::nothing,
       {{"theta", Kind::number, 10000, 1, 1e12},
        {"size", Kind::integer, nullptr, 2},
        {"llama3", Kind::numbers, nullptr}}},
      {"moe",
       plan_moe,
       Saves::input,
       {{"intermediate", Kind::size, kRequired, 1},
        {"top_k", Kind::integer, kRequired, 1},
        {"router", Kind::choice, "softmax_top_k", 0, 0, {"softmax_top_k", "top_k_softmax"}},
        {"renormalize", Kind::boolean, false},
        {"gate_up_proj_init", Kind::init, "default"},
        {"down_proj_init", Kind::init, "default"}},
       2},
  };
}

}  // namespace mpsbench::model
