// BERT's basic tokenizer for uncased models: splits text into words. The rules are those of Hugging Face's
// fast tokenizer (Rust); the Unicode tables are those of utf8proc.
#pragma once

#include <string>
#include <string_view>

namespace mpsbench::text {

// Normalises TEXT: drops control, format and private-use characters (Cc, Cf, Co) and U+FFFD; turns tabs, line
// breaks (LF, CR) and separators (Z*) into blanks; puts blanks around ideographs; decomposes characters
// (NFD), drops accents (Mn) and makes the rest lower case. Bytes that are not UTF-8 count as U+FFFD, so they
// are dropped.
[[nodiscard]] std::string normalise(std::string_view text);

// Removes the next word from NORMALISED and returns it: a punctuation character, or the characters up to the
// next punctuation or blank. Empty at the end of the text.
[[nodiscard]] std::string_view next_word(std::string_view& normalised);

}  // namespace mpsbench::text
