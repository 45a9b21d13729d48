// WordPiece: splits a word into pieces of a vocabulary, from left to right and always taking the longest
// piece that fits.
#pragma once

#include "text/vocabulary.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace mpsbench::text {

// Appends the ids of WORD's pieces to IDS. If some part of WORD matches no piece, or if it has more than
// kMaxWordCodePoints code points, appends only UNKNOWN_ID. WORD is UTF-8 and not empty.
void append_pieces(const Vocabulary& vocabulary, std::int32_t unknown_id, std::string_view word,
                   std::vector<std::int32_t>& ids);

}  // namespace mpsbench::text
