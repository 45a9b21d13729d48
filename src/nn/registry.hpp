// Layer types by name.
#pragma once

#include "nn/layer.hpp"

#include <string>
#include <vector>

namespace mpsbench::nn {

// Throws Error(usage) for a type that this worker does not know.
[[nodiscard]] Forward make_forward(const Node& node);

// All of them, sorted; a test holds them against model/'s, of which a TorchScript file is a model of its own.
[[nodiscard]] std::vector<std::string> layer_types();

// One table a family; registry.cpp joins them.
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
