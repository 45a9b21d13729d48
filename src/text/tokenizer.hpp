// BERT's uncased tokenizer: text to ids, as Hugging Face's fast tokenizer (Rust) makes them for a single
// text.
#pragma once

#include "text/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mpsbench::text {

// May be used by several threads at once.
class Tokenizer {
 public:
  // Throws Error(usage) where utf8proc was not there to build with.
  explicit Tokenizer(Vocabulary vocabulary);

  // [CLS], the pieces of TEXT, [SEP]: at most MAX_LENGTH ids, which both count to; pieces that find no room
  // are left out. TEXT is UTF-8; other bytes are dropped, as U+FFFD is. The special pieces ([MASK] among
  // them) are themselves where TEXT spells them so. Throws Error(usage) for a MAX_LENGTH below 2.
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
    std::size_t begin;       // the text's end where there is none
    const Special* special;  // which, or nullptr
  };

  void append_words(std::string_view text, std::size_t limit, std::vector<std::int32_t>& ids) const;
  [[nodiscard]] FoundSpecial first_special(std::string_view text) const;

  Vocabulary vocabulary_;
  std::vector<Special> specials_;
  std::int32_t padding_id_, unknown_id_, begin_id_, end_id_;
};

}  // namespace mpsbench::text
