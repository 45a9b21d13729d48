#include "model/parameters.hpp"

#include "base/units.hpp"

#include <algorithm>
#include <utility>

namespace mpsbench::model {
namespace {

constexpr std::size_t kMaxName = 100;
constexpr std::size_t kMostNumbers = 8;
constexpr std::size_t kMaxParts = 64;  // limits a value that is copied before its type is known
constexpr std::int64_t kMaxInteger = (std::int64_t{1} << 31) - 1;

}  // namespace

Environment::Environment(std::string place, const Environment* outer) : place_(std::move(place)), outer_(outer) {}

const nlohmann::json* Environment::find(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return outer_ ? outer_->find(name) : nullptr;
  used_.insert(name);
  return &found->second;
}

nlohmann::json Environment::resolve(const base::Reader& value) const {
  if (value.is_string()) {
    std::string text = value.string();
    if (text.empty() || text.front() != '$') return text;
    const nlohmann::json* found = find(text.substr(1));
    if (!found) {
      throw value.error("there is no parameter " + in_quotes(text) + " in " + place_ + (outer_ ? " or the model" : ""));
    }
    return *found;
  }
  if (value.value().size() > kMaxParts) throw value.error("must not have more than 64 items");
  if (value.is_array()) {
    nlohmann::json items = nlohmann::json::array();
    for (const base::Reader& item : value.items()) items.push_back(resolve_part(item));
    return items;
  }
  if (value.is_object()) {
    nlohmann::json object = nlohmann::json::object();
    base::Reader reader = value;
    for (const std::string& key : value.keys()) object[key] = resolve_part(reader.at(key));
    return object;
  }
  return value.value();
}

nlohmann::json Environment::resolve_part(const base::Reader& part) const {
  if (part.is_array() || part.is_object()) throw part.error("expected a number, true, false or a string");
  return resolve(part);
}

std::string Environment::unused() const {
  for (const auto& [name, value] : values_) {
    if (!used_.contains(name)) return name;
  }
  return "";
}

void require_parameter_value(const base::Reader& value) {
  if (value.is_string()) {
    if (is_identifier(value.string())) return;
    throw value.error("a parameter's string must be 1 to 100 letters, digits and _");
  }
  if (value.is_array()) {
    if (value.size() == 0 || value.size() > kMostNumbers) throw value.error("expected a list of 1 to 8 whole numbers");
    static_cast<void>(value.integers(-kMaxInteger, kMaxInteger));
    return;
  }
  if (value.value().is_boolean()) return;
  if (!value.is_number()) {
    throw value.error("expected a number, true, false, a string or a list of whole numbers");
  }
  static_cast<void>(value.number());
}

bool is_identifier(const std::string& text) {
  return !text.empty() && text.size() <= kMaxName && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string in_quotes(const std::string& text) {
  constexpr std::size_t kLongest = 60;
  const std::string cut = text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
  const std::string escaped = nlohmann::json(cut).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return "'" + escaped.substr(1, escaped.size() - 2) + "'";
}

std::string unknown_name(const char* what, const std::string& name, const std::vector<std::string>& known) {
  return "unknown " + std::string(what) + " " + in_quotes(name) + base::did_you_mean(name, known) +
         "; known: " + base::join(known);
}

}  // namespace mpsbench::model
