#include "input/text/tokenizer.hpp"

#include "base/error.hpp"
#include "input/text/basic_tokenizer.hpp"
#include "input/text/vocabulary.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace mpsbench::text {

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
