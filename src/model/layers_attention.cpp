// Layers that transformers need in addition to linear layers and norms.
#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

namespace mpsbench::model {
namespace {

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
    throw layer.error("input 4, the mask, must be the output of a padding_mask and fit " +
                      schema::to_string(scores));
  }
  if (layer.flag("is_causal"))
    throw layer.error_at("is_causal", "works only with three inputs, that is without a mask");
}

void plan_attention(LayerContext& layer) {
  const schema::Shape& query = layer.floats(0, 4, 4);
  const schema::Shape& key = layer.floats(1, 4, 4);
  const schema::Shape& value = layer.floats(2, 4, 4);
  const bool same_batch =
      query[0] == key[0] && key[0] == value[0] && query[1] == key[1] && key[1] == value[1];
  if (!same_batch || query[3] != key[3] || key[2] != value[2]) {
    throw layer.error("query, key and value must have matching shapes [batch, heads, length, size]");
  }
  if (layer.inputs() == 4) check_mask(layer, query, key[2]);
  layer.set_output({query[0], query[1], query[2], value[3]});
  // Forward: scores = query x key and output = weights x value. Backward: both factors of both products.
  const bool gradient =
      layer.input(0).requires_grad || layer.input(1).requires_grad || layer.input(2).requires_grad;
  layer.count_macs({query[0], query[1], query[2], key[2], query[3] + value[3]}, {gradient, gradient});
}

}  // namespace

std::vector<LayerType> attention_layers() {
  return {
      {"position_ids", 1, 1, Saves::nothing, {}, plan_position_ids},
      {"padding_mask", 1, 1, Saves::nothing, {}, plan_padding_mask},
      {"scaled_dot_product_attention",
       3,
       4,
       Saves::both,
       {optional("dropout_p", LayerOptionKind::number, 0.0, 0, 1),
        optional("is_causal", LayerOptionKind::boolean, false)},
       plan_attention},
  };
}

}  // namespace mpsbench::model
