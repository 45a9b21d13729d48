// What a layer type is to the planner: its options with ranges, its number of inputs, and one function that
// checks shapes, names the tensors and counts the work. A new type is one row in a family's file
// (layers_*.cpp).
#pragma once

#include "base/json_reader.hpp"
#include "schema/network_plan.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::model {

class LayerContext;

// The largest value of any size that a definition may state.
constexpr std::int64_t kMaxSize = (std::int64_t{1} << 31) - 1;

enum class LayerOptionKind {
  integer,   // min ... max
  number,    // min ... max
  boolean,   //
  pair,      // a whole number or [height, width], stored as [height, width]
  integers,  // a list of whole numbers, or one number for a list of one
  choice,    // one of `choices`
  init,      // how the tensor of the same name is drawn; not part of the plan's options
};

struct LayerOption {
  const char* key;
  LayerOptionKind kind;
  nlohmann::json initial;  // discarded: must be given; null: left out means what the type's row says
  double min = 0;
  double max = static_cast<double>(kMaxSize);
  std::vector<std::string> choices = {};
};

[[nodiscard]] LayerOption required(const char* key, LayerOptionKind kind, double min = 1,
                                   double max = static_cast<double>(kMaxSize));
[[nodiscard]] LayerOption optional(const char* key, LayerOptionKind kind, nlohmann::json initial,
                                   double min = 0, double max = static_cast<double>(kMaxSize));
[[nodiscard]] LayerOption choice(const char* key,
                                 std::vector<std::string> choices);  // the first is the default
[[nodiscard]] LayerOption init_option(const char* key);

// What the backward pass keeps until it runs: an in-place layer must not overwrite it.
enum class Saves { nothing, input, output, both };

struct LayerType {
  const char* name;
  std::size_t min_inputs;
  std::size_t max_inputs;
  Saves saves;
  std::vector<LayerOption> options;
  void (*plan)(LayerContext&);
};

[[nodiscard]] bool saves_input(const LayerType& type);
[[nodiscard]] bool saves_output(const LayerType& type);

// An option's value, checked against its kind and range, in the form that the plan holds.
[[nodiscard]] nlohmann::json read_option(const LayerOption& option, const base::Reader& value);

}  // namespace mpsbench::model
