#include "input/text/vocabulary.hpp"

#include "input/text/golden.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace mpsbench::text {

namespace {

using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

const std::string kSpecial = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n";

std::string error_of(const std::string& lines) {
  return usage_error_of([&] { Vocabulary(lines, "vocab.txt"); });
}

TEST(Vocabulary, AnIdIsTheLinesNumberFromZero) {
  const Vocabulary vocabulary(kSpecial + "the\n##s\né\n", "vocab.txt");
  EXPECT_EQ(vocabulary.size(), 7);
  EXPECT_EQ(vocabulary.find("[PAD]"), 0);
  EXPECT_EQ(vocabulary.find("the"), 4);
  EXPECT_EQ(vocabulary.find("##s"), 5);
  EXPECT_EQ(vocabulary.find("é"), 6);
  EXPECT_FALSE(vocabulary.find("s"));
  EXPECT_FALSE(vocabulary.find(""));
}

TEST(Vocabulary, LineEndsAreLfOrCrlfAndTheLastMayHaveNone) {
  const Vocabulary vocabulary("\xEF\xBB\xBF[PAD]\r\n[UNK]\n[CLS]\r\n[SEP]\r\nthe", "vocab.txt");
  EXPECT_EQ(vocabulary.size(), 5);
  EXPECT_EQ(vocabulary.find("[PAD]"), 0);
  EXPECT_EQ(vocabulary.find("[SEP]"), 3);
  EXPECT_EQ(vocabulary.find("the"), 4);
}

TEST(Vocabulary, TheLongestPrefixIsOfTheAskedKind) {
  const Vocabulary vocabulary(kSpecial + "a\nab\nabcd\n##abc\né\n", "vocab.txt");
  const auto bytes_of = [&](std::string_view word, bool continuing) -> std::size_t {
    const auto match = vocabulary.longest_prefix(word, continuing);
    return match ? match->bytes : 0;
  };
  EXPECT_EQ(bytes_of("abc", false), 2U);
  EXPECT_EQ(bytes_of("abcde", false), 4U);
  EXPECT_EQ(bytes_of("abcde", true), 3U);
  EXPECT_EQ(bytes_of("ab", true), 0U);
  EXPECT_EQ(bytes_of("éa", false), 2U);
  EXPECT_EQ(bytes_of("è", false), 0U);  // only its first byte equals that of é
  EXPECT_EQ(bytes_of("", false), 0U);
}

TEST(Vocabulary, RefusesWhatIsNoVocabulary) {
  EXPECT_EQ(error_of(""), "vocab.txt: empty; a vocabulary has one piece per line");
  EXPECT_EQ(error_of(kSpecial + "the\n\nof\n"), "vocab.txt, line 6: empty; a vocabulary has one piece per line");
  EXPECT_EQ(error_of(kSpecial + "the\nof\nthe\n"),
            "vocab.txt, line 7: the piece 'the' is already in line 5; remove one of them");
  EXPECT_EQ(error_of(kSpecial + "caf\xE9\n"), "vocab.txt, line 5: not UTF-8; save the file as UTF-8");
  EXPECT_EQ(error_of(kSpecial + "\xED\xA0\x80\n"), "vocab.txt, line 5: not UTF-8; save the file as UTF-8");
  EXPECT_EQ(error_of(kSpecial + std::string(403, 'x') + "\n"),
            "vocab.txt, line 5: 403 bytes, more than the limit of 402; a vocabulary has one piece per line");
}

TEST(Vocabulary, NamesTheSpecialPieceThatIsMissing) {
  for (const std::string special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]"}) {
    std::string lines = kSpecial;
    lines.replace(lines.find(special), special.size(), "the");
    EXPECT_TRUE(contains(error_of(lines), "vocab.txt: the piece " + special + " is missing")) << error_of(lines);
  }
}

TEST(ReadVocabulary, ErrorsNameTheFile) {
  const Scratch scratch;
  EXPECT_EQ(read_vocabulary(scratch.write("vocab.txt", kSpecial)).size(), 4);
  const auto message_of = [](const std::filesystem::path& file) {
    return usage_error_of([&] { (void)read_vocabulary(file); });
  };
  EXPECT_EQ(message_of(scratch / "absent"), (scratch / "absent").string() + ": no such file");
  EXPECT_EQ(message_of(scratch.root()), scratch.root().string() + ": is a folder, not a file");
  const auto bad = scratch.write("bad.txt", "the\nthe\n");
  EXPECT_TRUE(contains(message_of(bad), bad.string() + ", line 2: "));
}

TEST(ReadVocabulary, RefusesAHugeFileUnread) {
  const Scratch scratch;
  const auto file = scratch.write("vocab.txt", kSpecial);
  std::filesystem::resize_file(file, (16U << 20U) + 1);
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read_vocabulary(file); }), "more than the limit of 16777216"));
}

// Ids 0 to 3 are the special pieces.
const Vocabulary& few_pieces() {
  static const Vocabulary kVocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n##a\nab\n##bc\n##c\né\n##é\n", "vocab.txt");
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
