#include "model/layer_table.hpp"

#include <algorithm>
#include <iterator>

namespace mpsbench::model {

const std::vector<LayerType>& layer_types() {
  static const std::vector<LayerType> kAll = [] {
    std::vector<LayerType> types;
    for (auto family : {weighted_layers, normalisation_layers, activation_layers, pooling_layers,
                        shape_layers, arithmetic_layers, attention_layers, file_layers}) {
      std::vector<LayerType> some = family();
      types.insert(types.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }
    return types;
  }();
  return kAll;
}

const LayerType* find_layer_type(std::string_view name) {
  const auto& all = layer_types();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const LayerType& type) { return type.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> layer_type_names() {
  std::vector<std::string> names;
  for (const LayerType& type : layer_types()) names.emplace_back(type.name);
  return names;
}

}  // namespace mpsbench::model
