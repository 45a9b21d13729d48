// All layer types, and what the planner knows about each.
#pragma once

#include "base/json_reader.hpp"
#include "schema/network_plan.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::model {

// Checks VALUE: a word, such as "zeros" or "kaiming_normal_fan_out", {"normal": std}, {"uniform": bound} or
// {"constant": value}.
[[nodiscard]] nlohmann::json read_init(const base::Reader& value);

// What "default" means for a tensor: how torch.nn initialises it.
struct DefaultInit {
  const char* init;
  double scale = 0;
};

// Sets init and scale of TENSOR. FAN_OUT is for the kaiming words (with ReLU's gain). Returns false if INIT is one of
// them and FAN_OUT is 0, which means that the tensor is no weight of a convolution or linear layer.
[[nodiscard]] bool set_init(schema::NetworkTensor& tensor, const nlohmann::json& init, const DefaultInit& initial,
                            std::int64_t fan_out);

// What the planner knows about a layer type: its options with their ranges, its number of inputs, and a function that
// checks shapes, names the tensors and counts the work. To add a type, add a row to a family's file (layers_*.cpp).
class LayerContext;

// The largest size that a definition may contain.
constexpr std::int64_t kMaxSize = (std::int64_t{1} << 31) - 1;

enum class LayerOptionKind {
  integer,   // a whole number from min to max
  size,      // the same, or a list of whole numbers, stored as their product
  number,    // a number from min to max, or a list of numbers, stored as their product
  boolean,   // true or false
  pair,      // a whole number or [height, width], stored as [height, width]
  integers,  // a list of whole numbers, or one number for a list of one
  numbers,   // a list of numbers
  choice,    // one of `choices`
  init,      // how the tensor of the same name is initialised; not in the plan's options
  layer,     // an earlier layer, whose weight this one uses; not in the plan's options
};

constexpr nlohmann::json::value_t kRequired = nlohmann::json::value_t::discarded;

struct LayerOption {
  const char* key;
  LayerOptionKind kind;
  nlohmann::json initial;  // default. kRequired: there is none; null: the planning function decides
  double min = 0;
  double max = static_cast<double>(kMaxSize);
  std::vector<std::string> choices = {};
};

// Which of its tensors a layer keeps for its backward pass, as autograd does. An in-place layer must not
// overwrite them. What a layer copies, such as a mask, is its own.
enum class Saves {
  nothing,
  input,            // its inputs. In place: a copy of them
  input_or_output,  // its input. In place: its output
  output,
  factors,  // each input that multiplies one with a gradient
  both,     // its inputs and its output
};

struct LayerType {
  const char* name;
  void (*plan)(LayerContext&);
  Saves saves;
  std::vector<LayerOption> options = {};
  std::size_t min_inputs = 1;
  std::size_t max_inputs = min_inputs;
};

// Checks VALUE against the option's kind and range and returns it in the form that the plan has.
[[nodiscard]] nlohmann::json read_option(const LayerOption& option, const base::Reader& value);

// Returns the JSON Schema of an entry with this type, for configs/schema/model.schema.json.
[[nodiscard]] nlohmann::ordered_json layer_json_schema(const LayerType& type);

// Returns nullptr if there is no such type.
[[nodiscard]] const LayerType* find_layer_type(std::string_view name);
// Returns all layer types, family by family.
[[nodiscard]] const std::vector<LayerType>& layer_types();
[[nodiscard]] std::vector<std::string> layer_type_names();

[[nodiscard]] std::vector<LayerType> weighted_layers();       // convolutions, linear, embedding, parameter
[[nodiscard]] std::vector<LayerType> normalisation_layers();  // norms and dropout
[[nodiscard]] std::vector<LayerType> activation_layers();
[[nodiscard]] std::vector<LayerType> pooling_layers();
[[nodiscard]] std::vector<LayerType> shape_layers();
[[nodiscard]] std::vector<LayerType> arithmetic_layers();
[[nodiscard]] std::vector<LayerType> attention_layers();
[[nodiscard]] std::vector<LayerType> file_layers();

}  // namespace mpsbench::model
