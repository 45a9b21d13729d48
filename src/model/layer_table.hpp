// All layer types. Each family has one function; layer_table.cpp joins their tables.
#pragma once

#include "model/layer_type.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::model {

// Returns nullptr if there is no such type.
[[nodiscard]] const LayerType* find_layer_type(std::string_view name);
// Returns all layer types, family by family.
[[nodiscard]] const std::vector<LayerType>& layer_types();
[[nodiscard]] std::vector<std::string> layer_type_names();

[[nodiscard]] std::vector<LayerType> weighted_layers();       // conv2d, linear, embedding
[[nodiscard]] std::vector<LayerType> normalisation_layers();  // norms and dropout
[[nodiscard]] std::vector<LayerType> activation_layers();
[[nodiscard]] std::vector<LayerType> pooling_layers();
[[nodiscard]] std::vector<LayerType> shape_layers();
[[nodiscard]] std::vector<LayerType> arithmetic_layers();
[[nodiscard]] std::vector<LayerType> attention_layers();
[[nodiscard]] std::vector<LayerType> file_layers();

}  // namespace mpsbench::model
