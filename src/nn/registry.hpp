// The worker's layer types, by name.
#pragma once

#include "nn/layer.hpp"

#include <string>
#include <vector>

namespace mpsbench::nn {

// Throws Error(usage) if this worker does not know the type.
[[nodiscard]] Forward make_forward(const Node& node);

// Returns all types, sorted. A test compares them with those of src/model; only torchscript is missing here,
// because it is a separate nn::Model.
[[nodiscard]] std::vector<std::string> layer_types();

// Each family has one table; registry.cpp joins them.
using Factory = Forward (*)(const Node&);
struct LayerFactory {
  const char* name;
  Factory make;
};
[[nodiscard]] std::span<const LayerFactory> activation_layers();
[[nodiscard]] std::span<const LayerFactory> arithmetic_layers();
[[nodiscard]] std::span<const LayerFactory> attention_layers();
[[nodiscard]] std::span<const LayerFactory> conv_layers();
[[nodiscard]] std::span<const LayerFactory> norm_layers();
[[nodiscard]] std::span<const LayerFactory> shape_layers();

}  // namespace mpsbench::nn
