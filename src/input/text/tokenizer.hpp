// BERT's uncased tokenizer: turns a text into ids, as Hugging Face's fast tokenizer (Rust) does for a single
// text.
#pragma once

#include "input/text/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::text {

// The basic tokenizer for uncased models, which splits text into words. The Unicode tables are those of utf8proc.

// Normalises TEXT: drops control, format and private-use characters (Cc, Cf, Co) and U+FFFD; turns tabs, line
// breaks (LF, CR) and separators (Z*) into blanks; puts blanks around ideographs; decomposes characters
// (NFD), drops accents (Mn) and makes the rest lower case. Bytes that are not UTF-8 count as U+FFFD, so they
// are dropped.
[[nodiscard]] std::string normalise(std::string_view text);

// Removes the next word from NORMALISED and returns it: a punctuation character, or the characters up to the
// next punctuation or blank. Empty at the end of the text.
[[nodiscard]] std::string_view next_word(std::string_view& normalised);

// Several threads may use one tokenizer at the same time.
class Tokenizer {
 public:
  // Throws Error(usage) if the program was built without utf8proc.
  explicit Tokenizer(Vocabulary vocabulary);

  // Returns [CLS], the pieces of TEXT and [SEP], together at most MAX_LENGTH ids; further pieces are left
  // out. TEXT is UTF-8; invalid bytes and U+FFFD are dropped. Where TEXT spells out a special piece, such as
  // [MASK], the result has that piece. Throws Error(usage) if MAX_LENGTH is below 2.
  [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text, std::int64_t max_length) const;

  [[nodiscard]] std::int64_t vocabulary_size() const { return vocabulary_.size(); }
  [[nodiscard]] std::int32_t padding_id() const { return padding_id_; }
  [[nodiscard]] std::int32_t unknown_id() const { return unknown_id_; }

 private:
  struct Special {
    std::string_view piece;
    std::int32_t id;
  };
  struct FoundSpecial {
    std::size_t begin;       // the end of the text if there is none
    const Special* special;  // nullptr if there is none
  };

  void append_words(std::string_view text, std::size_t limit, std::vector<std::int32_t>& ids) const;
  [[nodiscard]] FoundSpecial first_special(std::string_view text) const;

  Vocabulary vocabulary_;
  std::vector<Special> specials_;
  std::int32_t padding_id_, unknown_id_, begin_id_, end_id_;
};

}  // namespace mpsbench::text
