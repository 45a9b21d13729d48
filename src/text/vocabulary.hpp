// The pieces of a WordPiece vocabulary: BERT's vocab.txt.
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

namespace mpsbench::text {

// A word of more code points is unknown, whatever the vocabulary holds.
inline constexpr std::size_t kMaxWordCodePoints = 100;

class Vocabulary {
 public:
  struct Match {
    std::int32_t id;
    std::size_t bytes;
  };

  // LINES is one piece a line, ended by LF or CRLF; a piece's id is its line's number from 0. NAME is the
  // file's name for messages. Throws Error(usage), with the line, for what is not a vocabulary: an empty or
  // overlong line, a piece that stands twice or is not UTF-8, no [PAD], [UNK], [CLS] or [SEP].
  Vocabulary(std::string_view lines, const std::string& name);

  [[nodiscard]] std::int64_t size() const { return std::ssize(ids_); }
  [[nodiscard]] std::optional<std::int32_t> find(std::string_view piece) const;

  // The longest piece that WORD begins with: one that begins a word or, CONTINUING, one that the file writes
  // behind ##. WORD is UTF-8.
  [[nodiscard]] std::optional<Match> longest_prefix(std::string_view word, bool continuing) const;

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): lets views be looked up
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Ids = std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>>;

  void add(std::string_view line, const std::string& place);

  Ids ids_;
  Ids continuing_;  // without their ##
  std::size_t longest_bytes_ = 0;
};

// Reads FILE. Throws Error(usage) as above, and for what cannot be read.
[[nodiscard]] Vocabulary read_vocabulary(const std::filesystem::path& file);

}  // namespace mpsbench::text
