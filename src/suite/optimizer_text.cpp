#include "suite/optimizer_text.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "model/optimizer.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace mpsbench::suite {

schema::OptimizerSpec parse_optimizer(const std::string& text) {
  if (text.empty())
    throw base::usage_error(
        "must not be empty; expected an optimizer such as sgd or sgd:lr=0.1:momentum=0.9");
  std::map<std::string, double> settings;
  const std::size_t name_end = text.find(':');
  for (std::size_t at = name_end; at != std::string::npos;) {
    const std::size_t next = text.find(':', at + 1);
    const std::string item = text.substr(at + 1, next == std::string::npos ? next : next - at - 1);
    const std::size_t equals = item.find('=');
    const auto value =
        equals == std::string::npos ? std::nullopt : base::parse_number(item.substr(equals + 1));
    if (!value)
      throw base::usage_error("expected NAME:key=value:key=value, found '" + item + "' in '" + text + "'");
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
