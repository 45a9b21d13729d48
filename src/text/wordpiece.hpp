// WordPiece: a word as the longest pieces of a vocabulary, from the left.
#pragma once

#include "text/vocabulary.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace mpsbench::text {

// Adds the ids of WORD's pieces to IDS: UNKNOWN_ID alone where some part of it is no piece, or where it has
// more than kMaxWordCodePoints code points. WORD is UTF-8 and not empty.
void append_pieces(const Vocabulary& vocabulary, std::int32_t unknown_id, std::string_view word,
                   std::vector<std::int32_t>& ids);

}  // namespace mpsbench::text
