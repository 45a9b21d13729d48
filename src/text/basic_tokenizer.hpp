// BERT's basic tokenizer, uncased: text to words. The rules are those of Hugging Face's fast tokenizer
// (Rust); Unicode's tables are utf8proc's.
#pragma once

#include <string>
#include <string_view>

namespace mpsbench::text {

// TEXT without control, format and private characters (Cc, Cf, Co) and U+FFFD, tab and line breaks (LF, CR)
// and separators (Z*) as blanks, blanks around ideographs; decomposed (NFD) without accents (Mn), in lower
// case. Bytes that are not UTF-8 count as U+FFFD, so they are dropped.
[[nodiscard]] std::string normalise(std::string_view text);

// Takes the next word off NORMALISED: a punctuation character, or what stands between those and blanks. Empty
// at the end.
[[nodiscard]] std::string_view next_word(std::string_view& normalised);

}  // namespace mpsbench::text
