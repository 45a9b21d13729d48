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
  layer.set_output({1, ids[1]}, DType::int64, layer.integer("start") + ids[1]);
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
