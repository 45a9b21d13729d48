#include "suite/read_settings.hpp"

#include "base/units.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace mpsbench::suite {
namespace {

// Returns one JSON scalar as a person would type it on the command line.
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
    text += (text.empty() ? "" : ",") + base::list_item(scalar_text(item, option));
  return text;
}

}  // namespace

Settings read_settings(base::Reader& reader, const std::vector<OptionGroup>& allowed) {
  Settings settings;
  for (const std::string& key : reader.keys()) {
    const Option* option = find_option(key);
    if (option == nullptr || std::find(allowed.begin(), allowed.end(), option->group) == allowed.end())
      continue;
    const base::Reader value = reader.at(key);
    option->set(settings, value_text(value, *option), value.file() + ": " + value.path());
  }
  return settings;
}

}  // namespace mpsbench::suite
