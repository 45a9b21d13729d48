// Plans of small networks for the tests of nn/, step/ and worker/.
#pragma once

#include "model/build_network_plan.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::tests {

// INPUTS and LAYERS are as in a definition. The logits must have the shape [batch, classes].
inline schema::NetworkPlan plan_of(const nlohmann::json& inputs, const nlohmann::json& layers, std::int64_t batch,
                                   schema::Mode mode = schema::Mode::train) {
  const nlohmann::json document{{"name", "net"},
                                {"inputs", inputs},
                                {"layers", layers},
                                {"loss", "cross_entropy"},
                                {"optimizer", {{"name", "sgd"}, {"lr", 0.1}}},
                                {"batch_size", batch},
                                {"rows", 64}};
  const model::Definition definition = model::read_definition(document, "net.json");
  return model::build_network_plan(definition, batch, {}, definition.loss, mode);
}

inline nlohmann::json vector_input(std::int64_t width) {
  return nlohmann::json::array({{{"name", "input"}, {"dtype", "float32"}, {"shape", {width}}, {"fill", "normal"}}});
}

inline nlohmann::json image_input(std::int64_t channels, std::int64_t side) {
  return nlohmann::json::array(
      {{{"name", "input"}, {"dtype", "float32"}, {"shape", {channels, side, side}}, {"fill", "normal"}}});
}

// Returns a network with layers of 8, 16 and 4 features.
inline schema::NetworkPlan small_mlp(std::int64_t batch, schema::Mode mode = schema::Mode::train) {
  return plan_of(vector_input(8),
                 nlohmann::json::array({{{"type", "linear"}, {"name", "first"}, {"out_features", 16}},
                                        {{"type", "relu"}},
                                        {{"type", "linear"}, {"name", "last"}, {"out_features", 4}}}),
                 batch, mode);
}

}  // namespace mpsbench::tests
