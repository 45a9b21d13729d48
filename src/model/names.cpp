#include "model/names.hpp"

namespace mpsbench::model {

std::string Scope::full_name(const std::string& name) const {
  return prefix.empty() ? name : prefix + "." + name;
}

bool Names::add(const std::string& full_name, int slot) {
  return slots_.emplace(full_name, slot).second;
}

std::optional<int> Names::find(const std::string& prefix, const std::string& name) const {
  for (std::string scope = prefix;;) {
    const auto found = slots_.find(scope.empty() ? name : scope + "." + name);
    if (found != slots_.end()) return found->second;
    if (scope.empty()) return std::nullopt;
    const std::size_t dot = scope.rfind('.');
    scope = dot == std::string::npos ? "" : scope.substr(0, dot);
  }
}

std::vector<std::string> Names::near(const std::string& prefix) const {
  constexpr std::size_t kMost = 1000;
  const std::string start = prefix.empty() ? "" : prefix + ".";
  std::vector<std::string> names;
  for (auto it = slots_.lower_bound(start); it != slots_.end() && names.size() < kMost; ++it) {
    if (it->first.compare(0, start.size(), start) != 0) break;
    names.push_back(it->first.substr(start.size()));
  }
  return names;
}

std::optional<std::string> with_index(const std::string& text, std::optional<std::int64_t> index) {
  std::string result = text;
  for (std::size_t at = result.find("{i}"); at != std::string::npos; at = result.find("{i}", at)) {
    if (!index) return std::nullopt;
    result.replace(at, 3, std::to_string(*index));
  }
  return result;
}

}  // namespace mpsbench::model
