#include "suite/option_values.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "model/layer_table.hpp"
#include "model/training.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace mpsbench::suite {

namespace {

constexpr std::size_t kMostDimensions = 6;

std::optional<std::int64_t> size_of(const std::string& text) {
  const auto size = base::parse_whole_number(text);
  return size && *size >= 1 && *size <= model::kMaxSize ? size : std::nullopt;
}

}  // namespace

std::optional<InputShape> parse_input_shape(const std::string& text) {
  InputShape shape;
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    shape.high = size_of(text.substr(colon + 1));
    if (!shape.high) return std::nullopt;
  }
  const std::string sizes = text.substr(0, colon);
  for (std::size_t begin = 0; begin <= sizes.size();) {
    const std::size_t end = std::min(sizes.find('x', begin), sizes.size());
    const auto size = size_of(sizes.substr(begin, end - begin));
    if (!size || shape.sizes.size() == kMostDimensions) return std::nullopt;
    shape.sizes.push_back(*size);
    begin = end + 1;
  }
  return shape;
}

std::string to_string(const InputShape& shape) {
  std::string text;
  for (const std::int64_t size : shape.sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text + (shape.high ? ":" + std::to_string(*shape.high) : "");
}

schema::OptimizerSpec parse_optimizer(const std::string& text) {
  if (text.empty())
    throw base::usage_error("must not be empty; expected an optimizer such as sgd or sgd:lr=0.1:momentum=0.9");
  std::map<std::string, double> settings;
  const std::size_t name_end = text.find(':');
  for (std::size_t at = name_end; at != std::string::npos;) {
    const std::size_t next = text.find(':', at + 1);
    const std::string item = text.substr(at + 1, next == std::string::npos ? next : next - at - 1);
    const std::size_t equals = item.find('=');
    const auto value = equals == std::string::npos ? std::nullopt : base::parse_number(item.substr(equals + 1));
    if (!value) throw base::usage_error("expected NAME:key=value:key=value, found '" + item + "' in '" + text + "'");
    if (!settings.emplace(item.substr(0, equals), *value).second) {
      throw base::usage_error("'" + item.substr(0, equals) + "' appears twice in '" + text + "'");
    }
    at = next;
  }
  return model::complete_optimizer(text.substr(0, name_end), settings);
}

std::string optimizer_text(const schema::OptimizerSpec& spec) {
  const schema::OptimizerSpec defaults = model::complete_optimizer(spec.name, {});
  std::string text = spec.name;
  for (const auto& [key, value] : spec.settings) {
    if (value != defaults.settings.at(key)) text += ":" + key + "=" + nlohmann::json(value).dump();
  }
  return text;
}

}  // namespace mpsbench::suite
