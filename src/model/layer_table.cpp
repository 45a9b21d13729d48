#include "model/layer_table.hpp"

#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace mpsbench::model {

namespace {

// With ReLU's gain.
constexpr const char* kNormalFanOut = "kaiming_normal_fan_out";
constexpr const char* kNormalFanIn = "kaiming_normal_fan_in";
constexpr const char* kUniformFanIn = "kaiming_uniform_fan_in";
constexpr std::array kWords{"default", "zeros", "ones", kNormalFanOut, kNormalFanIn, kUniformFanIn};
constexpr std::array<const char*, 3> kScaled{"normal", "uniform", "constant"};
constexpr double kLargestScale = 1e6;

constexpr std::size_t kMaxList = 8;  // the most dimensions that a tensor may have

nlohmann::json read_integers(const base::Reader& value, std::int64_t min, std::int64_t max, std::size_t length) {
  if (!value.is_array()) return nlohmann::json::array({value.integer(min, max)});
  if (value.size() == 0 || value.size() > length) {
    throw value.error("expected a list of 1 to " + std::to_string(length) + " whole numbers, found " +
                      std::to_string(value.size()));
  }
  return value.integers(min, max);
}

std::int64_t read_size(const base::Reader& value, std::int64_t min, std::int64_t max) {
  if (!value.is_array()) return value.integer(min, max);
  std::int64_t size = 1;
  for (const std::int64_t factor : value.integers(1, max)) {
    if (factor > max / size) throw value.error("the product of these sizes is above " + std::to_string(max));
    size *= factor;
  }
  if (value.size() == 0) throw value.error("expected a whole number, or a list of them for their product");
  return size;
}

double read_number(const base::Reader& value, double min, double max) {
  if (!value.is_array()) return value.number(min, max);
  if (value.size() == 0) throw value.error("expected a number, or a list of them for their product");
  double product = 1;
  for (const double factor : value.numbers()) product *= factor;
  const nlohmann::json number = product;
  return base::Reader(number, value.file(), value.path()).number(min, max);
}

nlohmann::json read_pair(const base::Reader& value, std::int64_t min, std::int64_t max) {
  if (!value.is_array()) {
    const std::int64_t size = value.integer(min, max);
    return nlohmann::json::array({size, size});
  }
  if (value.size() != 2) throw value.error("expected a whole number or [height, width]");
  return value.integers(min, max);
}

nlohmann::ordered_json reference(const char* definition) {
  return {{"$ref", std::string("#/$defs/") + definition}};
}

nlohmann::ordered_json or_parameter(nlohmann::ordered_json value) {
  return {{"anyOf", {reference("parameter_name"), std::move(value)}}};
}

nlohmann::ordered_json list_of(nlohmann::ordered_json item, std::size_t least, std::size_t most) {
  return {{"type", "array"}, {"minItems", least}, {"maxItems", most}, {"items", or_parameter(std::move(item))}};
}

nlohmann::ordered_json option_json_schema(const LayerOption& option) {
  const auto whole = [](double number) { return static_cast<std::int64_t>(number); };
  const nlohmann::ordered_json integer{
      {"type", "integer"}, {"minimum", whole(option.min)}, {"maximum", whole(option.max)}};
  const nlohmann::ordered_json number{{"type", "number"}, {"minimum", option.min}, {"maximum", option.max}};
  switch (option.kind) {
    case LayerOptionKind::integer:
      return or_parameter(integer);
    case LayerOptionKind::number:
      return or_parameter({{"anyOf", {number, list_of({{"type", "number"}}, 1, kMaxList)}}});
    case LayerOptionKind::boolean:
      return reference("switch");
    case LayerOptionKind::pair:
      return or_parameter({{"anyOf", {integer, list_of(integer, 2, 2)}}});
    case LayerOptionKind::size:
    case LayerOptionKind::integers:
      return or_parameter({{"anyOf", {integer, list_of(integer, 1, kMaxList)}}});
    case LayerOptionKind::numbers:
      return or_parameter(list_of(number, 1, kMaxList));
    case LayerOptionKind::init:
      return reference("init");
    case LayerOptionKind::layer:
      return reference("reference");
    case LayerOptionKind::choice:
      break;
  }
  return or_parameter({{"enum", option.choices}});
}

}  // namespace

nlohmann::json read_init(const base::Reader& value) {
  if (value.is_object()) {
    base::Reader reader = value;
    for (const char* key : kScaled) {
      if (!reader.has(key)) continue;
      const double scale = reader.at(key).number(0, kLargestScale);
      reader.done();
      return {{key, scale}};
    }
  } else if (value.is_string() && std::find(kWords.begin(), kWords.end(), value.string()) != kWords.end()) {
    return value.value();
  }
  throw value.error(
      "expected \"default\", \"zeros\", \"ones\", \"kaiming_normal_fan_out\", \"kaiming_normal_fan_in\", "
      "\"kaiming_uniform_fan_in\", {\"normal\": std}, {\"uniform\": bound} or {\"constant\": value}");
}

bool set_init(schema::NetworkTensor& tensor, const nlohmann::json& init, const DefaultInit& initial,
              std::int64_t fan_out) {
  if (init.is_object()) {
    tensor.init = init.begin().key();
    tensor.scale = init.begin().value().get<double>();
  } else if (init == "default") {
    tensor.init = initial.init;
    tensor.scale = initial.scale;
  } else if (init == kNormalFanOut || init == kNormalFanIn || init == kUniformFanIn) {
    if (fan_out == 0) return false;
    tensor.init = init == kUniformFanIn ? "uniform" : "normal";
    if (init == kNormalFanOut) tensor.scale = std::sqrt(2.0 / static_cast<double>(fan_out));
    if (init == kNormalFanIn) tensor.scale = std::sqrt(2.0) * initial.scale;  // that is 1/sqrt(fan in)
    if (init == kUniformFanIn) tensor.scale = std::sqrt(6.0) * initial.scale;
  } else {
    tensor.init = init.get<std::string>();
  }
  return true;
}

nlohmann::json read_option(const LayerOption& option, const base::Reader& value) {
  const auto min = static_cast<std::int64_t>(option.min);
  const auto max = static_cast<std::int64_t>(option.max);
  switch (option.kind) {
    case LayerOptionKind::integer:
      return value.integer(min, max);
    case LayerOptionKind::size:
      return read_size(value, min, max);
    case LayerOptionKind::numbers:
      return value.numbers();
    case LayerOptionKind::number:
      return read_number(value, option.min, option.max);
    case LayerOptionKind::boolean:
      return value.boolean();
    case LayerOptionKind::pair:
      return read_pair(value, min, max);
    case LayerOptionKind::integers:
      return read_integers(value, min, max, kMaxList);
    case LayerOptionKind::init:
      return read_init(value);
    case LayerOptionKind::layer:
      return value.string();
    case LayerOptionKind::choice:
      break;
  }
  std::string text = value.string();
  if (std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end()) {
    throw value.error("expected one of: " + base::join(option.choices));
  }
  return text;
}

const std::vector<LayerType>& layer_types() {
  static const std::vector<LayerType> kAll = [] {
    std::vector<LayerType> types;
    for (auto family : {weighted_layers, normalisation_layers, activation_layers, pooling_layers, shape_layers,
                        arithmetic_layers, attention_layers, file_layers}) {
      std::vector<LayerType> some = family();
      types.insert(types.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }
    return types;
  }();
  return kAll;
}

nlohmann::ordered_json layer_json_schema(const LayerType& type) {
  nlohmann::ordered_json properties{{"type", {{"const", type.name}}}};
  std::vector<std::string> required{"type"};
  for (const LayerOption& option : type.options) {
    properties[option.key] = option_json_schema(option);
    if (option.initial.is_discarded()) required.emplace_back(option.key);
  }
  properties["inputs"] = {{"minItems", type.min_inputs}, {"maxItems", type.max_inputs}};
  if (type.min_inputs > 1) required.emplace_back("inputs");
  return {{"$ref", "#/$defs/common"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"unevaluatedProperties", false}};
}

const LayerType* find_layer_type(std::string_view name) {
  const auto found = std::ranges::find(layer_types(), name, &LayerType::name);
  return found == layer_types().end() ? nullptr : &*found;
}

std::vector<std::string> layer_type_names() {
  std::vector<std::string> names;
  for (const LayerType& type : layer_types()) names.emplace_back(type.name);
  return names;
}

}  // namespace mpsbench::model
