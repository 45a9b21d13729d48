// The pieces of a WordPiece vocabulary, which is BERT's vocab.txt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mpsbench::text {

// A word with more code points counts as unknown, even if the vocabulary contains its pieces.
inline constexpr std::size_t kMaxWordCodePoints = 100;

class Vocabulary {
 public:
  struct Match {
    std::int32_t id;
    std::size_t bytes;
  };

  // LINES has one piece per line, each ended by LF or CRLF. The id of a piece is its line number, counted
  // from 0. NAME is the file's name for messages. Throws Error(usage) that names the line if a line is empty
  // or too long, or if a piece is repeated or is not UTF-8. Also throws if [PAD], [UNK], [CLS] or [SEP] is
  // missing.
  Vocabulary(std::string_view lines, const std::string& name);

  [[nodiscard]] std::int64_t size() const { return std::ssize(ids_); }
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view piece) const;

  // The longest piece at the start of WORD. If CONTINUING is false, only pieces that begin a word count; if
  // it is true, only those that the file writes with ## in front. WORD is UTF-8.
  [[nodiscard]] std::optional<Match> longest_prefix(std::string_view word, bool continuing) const;

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): lets views be looked up
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Ids = std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>>;

  void add(std::string_view line, const std::string& place);

  Ids ids_;
  Ids continuing_;  // stored without ##
  std::size_t longest_bytes_ = 0;
};

// Reads FILE. Throws Error(usage) as the constructor does, and if the file cannot be read.
[[nodiscard]] Vocabulary read_vocabulary(const std::filesystem::path& file);

// WordPiece: splits a word into pieces of a vocabulary, from left to right and always taking the longest
// piece that fits.
// Appends the ids of WORD's pieces to IDS. If some part of WORD matches no piece, or if it has more than
// kMaxWordCodePoints code points, appends only UNKNOWN_ID. WORD is UTF-8 and not empty.
void append_pieces(const Vocabulary& vocabulary, std::int32_t unknown_id, std::string_view word,
                   std::vector<std::int32_t>& ids);

}  // namespace mpsbench::text
