// Small networks for the tests of model/: as text, as files, and as lists of layers without a definition.
#pragma once

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "model/build_network_plan.hpp"
#include "model/expander.hpp"
#include "support/errors.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::tests {

using nlohmann::json;

inline std::filesystem::path source_folder() {
  return MPSBENCH_SOURCE_DIR;
}
inline std::filesystem::path test_files() {
  return source_folder() / "tests/model/files";
}

inline model::Definition load(const std::filesystem::path& path) {
  return model::read_definition(base::read_json_file(path), path.filename().string());
}
inline model::Definition load_model(const std::string& name) {
  return load(source_folder() / "models" / (name + ".json"));
}

inline schema::NetworkPlan plan_of(const model::Definition& definition, std::int64_t batch_size,
                                   schema::Mode mode = schema::Mode::train) {
  return model::build_network_plan(definition, batch_size, {}, definition.loss, mode);
}

// The graph of LAYERS with one float input of SHAPE. SHAPE does not include the batch, which is 2.
inline model::Graph expand_layers(const json& shape, const json& layers, schema::Mode mode = schema::Mode::train,
                                  const json& blocks = json::object()) {
  const json document = {
      {"inputs", {{{"name", "x"}, {"dtype", "float32"}, {"shape", shape}}}}, {"blocks", blocks}, {"layers", layers}};
  const model::Environment none("the model");
  return model::expand(base::Reader(document, "test.json"), none, 2, mode);
}

// The output shape of one layer for an input of SHAPE. SHAPE does not include the batch, which is 2.
inline schema::Shape shape_after(const json& shape, const json& layer) {
  return expand_layers(shape, json::array({layer})).values.back().shape;
}
inline schema::Shape shape_after(const json& shape, const char* layer) {
  return shape_after(shape, json::parse(layer));
}

inline std::vector<std::string> layer_names(const model::Graph& graph) {
  std::vector<std::string> names;
  for (const model::Layer& layer : graph.layers) names.push_back(layer.node.name);
  return names;
}

// Returns the message of the base::Error that ACTION throws, or "" if it throws none.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace mpsbench::tests
