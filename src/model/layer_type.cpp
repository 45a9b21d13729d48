#include "model/layer_type.hpp"

#include "model/init.hpp"

#include <algorithm>
#include <utility>

namespace mpsbench::model {
namespace {

constexpr std::size_t kMaxList = 8;  // the most dimensions that a tensor may have

nlohmann::json read_integers(const base::Reader& value, std::int64_t min, std::int64_t max,
                             std::size_t length) {
  if (!value.is_array()) return nlohmann::json::array({value.integer(min, max)});
  if (value.size() == 0 || value.size() > length) {
    throw value.error("expected a list of 1 to " + std::to_string(length) + " whole numbers, found " +
                      std::to_string(value.size()));
  }
  return value.integers(min, max);
}

nlohmann::json read_pair(const base::Reader& value, std::int64_t min, std::int64_t max) {
  if (!value.is_array()) {
    const std::int64_t size = value.integer(min, max);
    return nlohmann::json::array({size, size});
  }
  if (value.size() != 2) throw value.error("expected a whole number or [height, width]");
  return value.integers(min, max);
}

}  // namespace

LayerOption required(const char* key, LayerOptionKind kind, double min, double max) {
  return {key, kind, nlohmann::json(nlohmann::json::value_t::discarded), min, max};
}

LayerOption optional(const char* key, LayerOptionKind kind, nlohmann::json initial, double min, double max) {
  return {key, kind, std::move(initial), min, max};
}

LayerOption choice(const char* key, std::vector<std::string> choices) {
  LayerOption option{key, LayerOptionKind::choice, choices.front()};
  option.choices = std::move(choices);
  return option;
}

LayerOption init_option(const char* key) {
  return {key, LayerOptionKind::init, "default"};
}

nlohmann::json read_option(const LayerOption& option, const base::Reader& value) {
  const auto min = static_cast<std::int64_t>(option.min);
  const auto max = static_cast<std::int64_t>(option.max);
  switch (option.kind) {
    case LayerOptionKind::integer:
      return value.integer(min, max);
    case LayerOptionKind::number:
      return value.number(option.min, option.max);
    case LayerOptionKind::boolean:
      return value.boolean();
    case LayerOptionKind::pair:
      return read_pair(value, min, max);
    case LayerOptionKind::integers:
      return read_integers(value, min, max, kMaxList);
    case LayerOptionKind::init:
      return read_init(value);
    case LayerOptionKind::choice:
      break;
  }
  std::string text = value.string();
  if (std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end()) {
    std::string known;
    for (const std::string& name : option.choices) known += (known.empty() ? "" : ", ") + name;
    throw value.error("expected one of: " + known);
  }
  return text;
}

}  // namespace mpsbench::model
