#include "input/text/vocabulary.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace mpsbench::text {

namespace {

using base::usage_error;

constexpr std::uintmax_t kMaxFileBytes = 16U << 20U;  // about a million pieces; bert-base-uncased has 30,522 in 0.2 MB
constexpr std::string_view kContinuation = "##";
constexpr std::size_t kMaxPieceBytes = 4 * kMaxWordCodePoints + kContinuation.size();

// True if the first BYTES bytes of WORD end between two code points.
bool is_boundary(std::string_view word, std::size_t bytes) {
  return bytes == word.size() || (static_cast<std::uint8_t>(word[bytes]) & 0xC0U) != 0x80U;
}

// Says why LINE cannot be a piece. Returns an empty text if it can.
std::string fault_of(std::string_view line) {
  if (line.empty()) return "empty; a vocabulary has one piece per line";
  if (line.size() > kMaxPieceBytes) {
    return std::to_string(line.size()) + " bytes, more than the limit of " + std::to_string(kMaxPieceBytes) +
           "; a vocabulary has one piece per line";
  }
  if (!base::is_utf8(line)) return "not UTF-8; save the file as UTF-8";
  return "";
}

bool is_too_long(std::string_view word) {
  if (word.size() <= kMaxWordCodePoints) return false;
  const auto begins_code_point = [](char byte) { return (static_cast<std::uint8_t>(byte) & 0xC0U) != 0x80U; };
  return std::count_if(word.begin(), word.end(), begins_code_point) > std::ptrdiff_t{kMaxWordCodePoints};
}

}  // namespace

Vocabulary::Vocabulary(std::string_view lines, const std::string& name) {
  if (lines.starts_with(base::kByteOrderMark)) lines.remove_prefix(base::kByteOrderMark.size());
  if (lines.empty()) throw usage_error(name + ": empty; a vocabulary has one piece per line");
  const char line_end = base::line_end_of(lines);
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find(line_end), lines.size());
    std::string_view line = lines.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    add(line, name + ", line " + std::to_string(size() + 1));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  for (const std::string_view special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]"}) {
    if (find(special)) continue;
    throw usage_error(name + ": the piece " + std::string(special) +
                      " is missing; a BERT vocabulary (vocab.txt) has [PAD], [UNK], [CLS] and [SEP]");
  }
}

void Vocabulary::add(std::string_view line, const std::string& place) {
  const std::string fault = fault_of(line);
  if (!fault.empty()) throw usage_error(place + ": " + fault);
  const auto id = static_cast<std::int32_t>(size());
  const auto [entry, added] = ids_.try_emplace(std::string(line), id);
  if (!added) {
    throw usage_error(place + ": the piece '" + base::excerpt(line) + "' is already in line " +
                      std::to_string(entry->second + 1) + "; remove one of them");
  }
  if (line.starts_with(kContinuation)) continuing_.emplace(line.substr(kContinuation.size()), id);
  longest_bytes_ = std::max(longest_bytes_, line.size());
}

std::optional<std::int32_t> Vocabulary::find(std::string_view piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Vocabulary::Match> Vocabulary::longest_prefix(std::string_view word, bool continuing) const {
  const Ids& ids = continuing ? continuing_ : ids_;
  for (std::size_t bytes = std::min(word.size(), longest_bytes_); bytes > 0; --bytes) {
    if (!is_boundary(word, bytes)) continue;
    const auto found = ids.find(word.substr(0, bytes));
    if (found != ids.end()) return Match{found->second, bytes};
  }
  return std::nullopt;
}

Vocabulary read_vocabulary(const std::filesystem::path& file) {
  return {base::read_text_file(file, kMaxFileBytes), file.string()};
}

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
