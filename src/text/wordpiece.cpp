#include "text/wordpiece.hpp"

#include <algorithm>
#include <cstddef>

namespace mpsbench::text {
namespace {

bool is_too_long(std::string_view word) {
  if (word.size() <= kMaxWordCodePoints) return false;
  const auto begins_code_point = [](char byte) { return (static_cast<std::uint8_t>(byte) & 0xC0U) != 0x80U; };
  return std::count_if(word.begin(), word.end(), begins_code_point) > std::ptrdiff_t{kMaxWordCodePoints};
}

}  // namespace

void append_pieces(const Vocabulary& vocabulary, std::int32_t unknown_id, std::string_view word,
                   std::vector<std::int32_t>& ids) {
  const std::size_t before = ids.size();
  bool known = !is_too_long(word);
  while (known && !word.empty()) {
    const auto match = vocabulary.longest_prefix(word, ids.size() > before);
    known = match.has_value();
    if (match) {
      ids.push_back(match->id);
      word.remove_prefix(match->bytes);
    }
  }
  if (!known) {
    ids.resize(before);
    ids.push_back(unknown_id);
  }
}

}  // namespace mpsbench::text
