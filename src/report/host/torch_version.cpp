#include "report/host/torch_version.hpp"

#include "base/units.hpp"

#include <array>
#include <cctype>
#include <limits>
#include <utility>

namespace mpsbench::report {
namespace {

// Removes the leading digits from TEXT and returns their value.
std::optional<int> take_number(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && std::isdigit(static_cast<unsigned char>(text[length])) != 0) ++length;
  const auto value = base::parse_whole_number(text.substr(0, length));
  if (!value || *value > std::numeric_limits<int>::max()) return std::nullopt;
  text.remove_prefix(length);
  return static_cast<int>(*value);
}

bool is_word(std::string_view text) {
  for (const char c : text) {
    const bool allowed = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
    if (!allowed) return false;
  }
  return !text.empty();
}

}  // namespace

bool TorchVersion::at_least(int wanted_major, int wanted_minor) const {
  return std::pair{major, minor} >= std::pair{wanted_major, wanted_minor};
}

std::optional<TorchVersion> parse_torch_version(std::string_view text) {
  TorchVersion version;
  const std::size_t plus = text.find('+');
  if (plus != std::string_view::npos) {
    version.build = text.substr(plus + 1);
    if (!is_word(version.build)) return std::nullopt;
    text = text.substr(0, plus);
  }
  const std::array<int*, 3> numbers{&version.major, &version.minor, &version.patch};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) {
      if (text.empty() || text.front() != '.') return std::nullopt;
      text.remove_prefix(1);
    }
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    *numbers[i] = *number;
  }
  if (text.empty()) return version;
  if (text.front() == '.') text.remove_prefix(1);
  if (!is_word(text) || std::isalpha(static_cast<unsigned char>(text.front())) == 0) return std::nullopt;
  version.pre = text;
  return version;
}

}  // namespace mpsbench::report
