#include "report/host/linux_files.hpp"

#include <algorithm>

namespace mpsbench::report {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string_view unquote(std::string_view text) {
  const bool quoted =
      text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::map<std::string, std::string> key_values(std::string_view text, char separator) {
  std::map<std::string, std::string> values;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t at = line.find(separator);
    if (at != std::string_view::npos) {
      values.emplace(trim(line.substr(0, at)), unquote(trim(line.substr(at + 1))));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return values;
}

}  // namespace mpsbench::report
