#include "input/text/tokenizer.hpp"

#include "base/error.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::text {
namespace {

using CodePoint = utf8proc_int32_t;

constexpr CodePoint kReplacement = 0xFFFD;
// The most code points into which NFD decomposes one. Unicode guarantees this limit.
constexpr std::size_t kLongestDecomposition = 4;

// A code point and its length in bytes. If the text is not UTF-8 here: one byte and kReplacement.
struct Decoded {
  CodePoint code_point;
  std::size_t bytes;
};

bool is_ascii(char byte) {
  return static_cast<std::uint8_t>(byte) < 0x80;
}

// The normalised form of each ASCII character; 0 means that it is dropped.
constexpr std::array<char, 128> kNormalisedAscii = [] {
  std::array<char, 128> table{};
  for (std::size_t i = ' '; i < 127; ++i) table[i] = static_cast<char>(i);
  for (std::size_t i = 'A'; i <= 'Z'; ++i) table[i] = static_cast<char>(i - 'A' + 'a');
  table['\t'] = table['\n'] = table['\r'] = ' ';
  return table;
}();

char normalised_ascii(char byte) {
  return kNormalisedAscii[static_cast<std::uint8_t>(byte)];
}

bool is_ascii_punctuation(char byte) {
  return (byte >= '!' && byte <= '/') || (byte >= ':' && byte <= '@') || (byte >= '[' && byte <= '`') ||
         (byte >= '{' && byte <= '~');
}

Decoded decode(std::string_view text) {
  CodePoint code_point = 0;
  const utf8proc_ssize_t bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), std::ssize(text), &code_point);
  if (bytes <= 0) return {kReplacement, 1};
  return {code_point, static_cast<std::size_t>(bytes)};
}

bool is_dropped(CodePoint code_point, utf8proc_category_t category) {
  return code_point == kReplacement || category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
         category == UTF8PROC_CATEGORY_CO;
}

bool is_blank(utf8proc_category_t category) {
  return category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP;
}

bool is_punctuation(utf8proc_category_t category) {
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

// Whether C is in one of the blocks that BERT calls Chinese, without kana and Hangul. In BERT's own code the
// block at U+2B920 begins at U+2B820. The Rust tokenizer, which this code follows, leaves these 256
// characters out.
bool is_ideograph(CodePoint c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

std::int32_t combining_class(CodePoint code_point) {
  return utf8proc_get_property(code_point)->combining_class;
}

// Puts combining marks that follow a starter into Unicode's canonical order, which sorts them by class.
void order_marks(std::vector<CodePoint>& code_points) {
  const auto is_mark = [](CodePoint c) { return combining_class(c) != 0; };
  const auto by_class = [](CodePoint a, CodePoint b) { return combining_class(a) < combining_class(b); };
  auto begin = std::find_if(code_points.begin(), code_points.end(), is_mark);
  while (begin != code_points.end()) {
    const auto end = std::find_if_not(begin, code_points.end(), is_mark);
    if (end - begin > 1) std::stable_sort(begin, end, by_class);
    begin = std::find_if(end, code_points.end(), is_mark);
  }
}

// Collects the text between two ASCII characters. Reordering never moves a mark past an ASCII character.
class Stretch {
 public:
  void add(CodePoint code_point) {
    const utf8proc_category_t category = utf8proc_category(code_point);
    if (is_dropped(code_point, category)) return;
    if (is_blank(category)) {
      decomposed_.push_back(' ');
    } else if (is_ideograph(code_point)) {
      decomposed_.push_back(' ');
      decompose(code_point);
      decomposed_.push_back(' ');
    } else {
      decompose(code_point);
    }
  }

  // Ends the stretch and appends its normalised text to TEXT.
  void move_to(std::string& text) {
    if (decomposed_.empty()) return;
    order_marks(decomposed_);
    for (const CodePoint code_point : decomposed_) {
      if (utf8proc_category(code_point) == UTF8PROC_CATEGORY_MN) continue;
      std::array<utf8proc_uint8_t, 4> bytes{};
      const utf8proc_ssize_t count = utf8proc_encode_char(utf8proc_tolower(code_point), bytes.data());
      text.append(bytes.begin(), bytes.begin() + count);
    }
    decomposed_.clear();
  }

 private:
  void decompose(CodePoint code_point) {
    std::array<CodePoint, kLongestDecomposition> parts{};
    int ignored = 0;
    const utf8proc_ssize_t count =
        utf8proc_decompose_char(code_point, parts.data(), std::ssize(parts), UTF8PROC_DECOMPOSE, &ignored);
    decomposed_.insert(decomposed_.end(), parts.begin(), parts.begin() + count);
  }

  std::vector<CodePoint> decomposed_;
};

}  // namespace

std::string normalise(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  Stretch stretch;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_ascii(text[at])) {
      const Decoded decoded = decode(text.substr(at));
      stretch.add(decoded.code_point);
      at += decoded.bytes;
      continue;
    }
    if (const char kept = normalised_ascii(text[at])) {
      stretch.move_to(result);
      result.push_back(kept);
    }
    ++at;
  }
  stretch.move_to(result);
  return result;
}

std::string_view next_word(std::string_view& normalised) {
  normalised.remove_prefix(std::min(normalised.find_first_not_of(' '), normalised.size()));
  std::size_t end = 0;
  while (end < normalised.size() && normalised[end] != ' ') {
    const char byte = normalised[end];
    const Decoded decoded = is_ascii(byte) ? Decoded{byte, 1} : decode(normalised.substr(end));
    const bool alone =
        is_ascii(byte) ? is_ascii_punctuation(byte) : is_punctuation(utf8proc_category(decoded.code_point));
    if (alone && end > 0) break;
    end += decoded.bytes;
    if (alone) break;
  }
  const std::string_view word = normalised.substr(0, end);
  normalised.remove_prefix(end);
  return word;
}

Tokenizer::Tokenizer(Vocabulary vocabulary)
    : vocabulary_(std::move(vocabulary)),
      padding_id_(vocabulary_.find("[PAD]").value()),
      unknown_id_(vocabulary_.find("[UNK]").value()),
      begin_id_(vocabulary_.find("[CLS]").value()),
      end_id_(vocabulary_.find("[SEP]").value()) {
  for (const std::string_view piece : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
    if (const auto id = vocabulary_.find(piece)) specials_.push_back({piece, *id});
  }
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view text, std::int64_t max_length) const {
  if (max_length < 2) {
    throw base::usage_error("a maximum length of " + std::to_string(max_length) +
                            " leaves no room for [CLS] and [SEP]; it must be at least 2");
  }
  const auto limit = static_cast<std::size_t>(max_length) - 1;
  std::vector<std::int32_t> ids = {begin_id_};
  while (!text.empty() && ids.size() < limit) {
    const auto [begin, special] = first_special(text);
    append_words(text.substr(0, begin), limit, ids);
    text.remove_prefix(begin);
    if (special != nullptr) {
      ids.push_back(special->id);
      text.remove_prefix(special->piece.size());
    }
  }
  ids.resize(std::min(ids.size(), limit));
  ids.push_back(end_id_);
  return ids;
}

void Tokenizer::append_words(std::string_view text, std::size_t limit, std::vector<std::int32_t>& ids) const {
  const std::string normalised = normalise(text);
  std::string_view rest = normalised;
  for (std::string_view word = next_word(rest); !word.empty() && ids.size() < limit; word = next_word(rest)) {
    append_pieces(vocabulary_, unknown_id_, word, ids);
  }
}

Tokenizer::FoundSpecial Tokenizer::first_special(std::string_view text) const {
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    for (const Special& special : specials_) {
      if (text.substr(at).starts_with(special.piece)) return {at, &special};
    }
  }
  return {text.size(), nullptr};
}

}  // namespace mpsbench::text
