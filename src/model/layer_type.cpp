#include "model/layer_type.hpp"

#include "model/init.hpp"

#include <algorithm>
#include <utility>

namespace mpsbench::model {
namespace {

constexpr std::size_t kMaxList = 8;  // as many dimensions as a tensor may have here

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

Option required(const char* key, OptionKind kind, double min, double max) {
  return {key, kind, nlohmann::json(nlohmann::json::value_t::discarded), min, max};
}

Option optional(const char* key, OptionKind kind, nlohmann::json initial, double min, double max) {
  return {key, kind, std::move(initial), min, max};
}

Option choice(const char* key, std::vector<std::string> choices) {
  Option option{key, OptionKind::choice, choices.front()};
  option.choices = std::move(choices);
  return option;
}

Option init_option(const char* key) {
  return {key, OptionKind::init, "default"};
}

bool saves_input(const LayerType& type) {
  return type.saves == Saves::input || type.saves == Saves::both;
}
bool saves_output(const LayerType& type) {
  return type.saves == Saves::output || type.saves == Saves::both;
}

nlohmann::json read_option(const Option& option, const base::Reader& value) {
  const auto min = static_cast<std::int64_t>(option.min);
  const auto max = static_cast<std::int64_t>(option.max);
  switch (option.kind) {
    case OptionKind::integer:
      return value.integer(min, max);
    case OptionKind::number:
      return value.number(option.min, option.max);
    case OptionKind::boolean:
      return value.boolean();
    case OptionKind::pair:
      return read_pair(value, min, max);
    case OptionKind::integers:
      return read_integers(value, min, max, kMaxList);
    case OptionKind::init:
      return read_init(value);
    case OptionKind::choice:
      break;
  }
  std::string text = value.string();
  if (std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end()) {
    std::string known;
    for (const std::string& name : option.choices) known += " " + name;
    throw value.error("expected one of" + known);
  }
  return text;
}

}  // namespace mpsbench::model
