#include "text/wordpiece.hpp"

#include "text/golden.hpp"

#include <gtest/gtest.h>

namespace mpsbench::text {
namespace {

// Ids 0 to 3 are the special pieces.
const Vocabulary& few_pieces() {
  static const Vocabulary kVocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n##a\nab\n##bc\n##c\né\n##é\n",
                                      "vocab.txt");
  return kVocabulary;
}

std::vector<std::int32_t> pieces_of(const std::string& word) {
  std::vector<std::int32_t> ids = {2};
  append_pieces(few_pieces(), 1, word, ids);
  EXPECT_EQ(ids.front(), 2);
  return {ids.begin() + 1, ids.end()};
}

using Ids = std::vector<std::int32_t>;

TEST(Wordpiece, TakesTheLongestPieceFromTheLeft) {
  EXPECT_EQ(pieces_of("a"), (Ids{4}));
  EXPECT_EQ(pieces_of("ab"), (Ids{6}));
  EXPECT_EQ(pieces_of("aa"), (Ids{4, 5}));
  EXPECT_EQ(pieces_of("abbc"), (Ids{6, 7}));
  EXPECT_EQ(pieces_of("abcbc"), (Ids{6, 8, 7}));
}

TEST(Wordpiece, AWordWithAPartThatIsNoPieceIsUnknownAsAWhole) {
  EXPECT_EQ(pieces_of("b"), (Ids{1}));
  EXPECT_EQ(pieces_of("aab"), (Ids{1}));  // other splits are not tried
  EXPECT_EQ(pieces_of("aax"), (Ids{1}));
}

TEST(Wordpiece, CountsCodePointsNotBytes) {
  Ids hundred(100, 10);
  hundred.front() = 9;
  EXPECT_EQ(pieces_of(repeated("é", 100)), hundred);
  EXPECT_EQ(pieces_of(repeated("é", 101)), (Ids{1}));
  EXPECT_EQ(pieces_of(repeated("a", 100)).size(), 100U);
  EXPECT_EQ(pieces_of(repeated("a", 101)), (Ids{1}));
}

}  // namespace
}  // namespace mpsbench::text
