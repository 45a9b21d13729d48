#include "suite/settings.hpp"

#include "base/units.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace mpsbench::suite {
namespace {

constexpr std::size_t kLongestProblem = 400;  // it quotes what was found

// One JSON scalar as a person would type it on the command line.
std::string scalar_text(const base::Reader& reader, const Option& option) {
  if (option.kind == OptionKind::flag) return reader.boolean() ? "true" : "false";
  if (reader.is_string()) return reader.string();
  if (reader.is_number()) return reader.value().dump();
  throw reader.error("expected a text or a number, as for --" + option.name);
}

std::string value_text(const base::Reader& reader, const Option& option) {
  if (option.kind != OptionKind::list || !reader.is_array()) return scalar_text(reader, option);
  if (reader.size() == 0) throw reader.error("the list is empty");
  std::string text;
  for (const base::Reader& item : reader.items())
    text += (text.empty() ? "" : ",") + scalar_text(item, option);
  return text;
}

}  // namespace

void Settings::set(const Option& option, const std::string& text, const std::string& origin) {
  const std::string problem = option.check ? option.check(text) : "";
  if (!problem.empty()) throw base::usage_error(origin + ": " + base::excerpt(problem, kLongestProblem));
  settings_[option.name] = {text, origin};
}

void Settings::read(base::Reader& reader, const std::vector<OptionGroup>& allowed) {
  for (const std::string& key : reader.keys()) {
    const Option* option = find_option(key);
    if (option == nullptr || std::find(allowed.begin(), allowed.end(), option->group) == allowed.end())
      continue;
    const base::Reader value = reader.at(key);
    set(*option, value_text(value, *option), value.file() + ": " + value.path());
  }
}

Settings Settings::overlaid_with(const Settings& above) const {
  Settings merged = above;
  merged.settings_.insert(settings_.begin(), settings_.end());
  if (above.has("iterations") && !above.has("epochs")) merged.settings_.erase("epochs");
  if (above.has("epochs") && !above.has("iterations")) merged.settings_.erase("iterations");
  return merged;
}

std::optional<std::string> Settings::text(const std::string& name) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? std::nullopt : std::optional(found->second.text);
}

Settings Settings::without(const std::vector<std::string>& names) const {
  Settings left = *this;
  for (const std::string& name : names) left.settings_.erase(name);
  return left;
}

bool Settings::flag(const std::string& name) const {
  return text(name).value_or("false") == "true";
}

std::vector<std::string> Settings::list(const std::string& name,
                                        const std::vector<std::string>& otherwise) const {
  const auto found = text(name);
  return found ? base::split_list(*found).value_or(otherwise) : otherwise;
}

std::optional<std::int64_t> Settings::count(const std::string& name) const {
  const auto found = text(name);
  return found ? base::parse_whole_number(*found) : std::nullopt;
}

std::optional<double> Settings::number(const std::string& name) const {
  const auto found = text(name);
  return found ? base::parse_number(*found) : std::nullopt;
}

std::optional<double> Settings::seconds(const std::string& name) const {
  const auto found = text(name);
  return found ? base::parse_duration_seconds(*found) : std::nullopt;
}

std::optional<double> Settings::ratio(const std::string& name) const {
  const auto found = text(name);
  return found ? base::parse_ratio(*found) : std::nullopt;
}

base::Error Settings::error(const std::string& name, const std::string& message) const {
  const auto found = settings_.find(name);
  return base::usage_error((found == settings_.end() ? "--" + name : found->second.origin) + ": " + message);
}

}  // namespace mpsbench::suite
