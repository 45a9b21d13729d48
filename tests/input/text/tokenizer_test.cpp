#include "input/text/tokenizer.hpp"

#include "input/text/golden.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>

namespace mpsbench::text {
namespace {

using Ids = std::vector<std::int32_t>;

const Vocabulary& small_vocabulary() {
  static const Vocabulary kVocabulary(kSmallVocabulary, "small");
  return kVocabulary;
}

const Tokenizer& tokenizer() {
  static const Tokenizer kTokenizer(small_vocabulary());
  return kTokenizer;
}

// Returns the ids of PIECES in the small vocabulary, between those of [CLS] and [SEP]. Blanks separate the
// pieces.
Ids ids_of(const std::string& pieces) {
  Ids ids;
  std::istringstream stream("[CLS] " + pieces + " [SEP]");
  for (std::string piece; stream >> piece;) ids.push_back(small_vocabulary().find(piece).value());
  return ids;
}

TEST(Tokenizer, GoldenTextsBySmallVocabulary) {
  for (const Golden& golden : golden_texts()) {
    EXPECT_EQ(tokenizer().encode(golden.text, 512), ids_of(golden.pieces)) << golden.text;
  }
}

TEST(Tokenizer, GoldenTextsByBertsOwnVocabulary) {
  const char* file = std::getenv("MPSBENCH_BERT_VOCAB");
  if (file == nullptr) GTEST_SKIP() << "MPSBENCH_BERT_VOCAB does not name the vocab.txt of bert-base-uncased";
  const Tokenizer bert(read_vocabulary(file));
  EXPECT_EQ(bert.vocabulary_size(), 30'522);
  EXPECT_EQ(bert.padding_id(), 0);
  for (const Golden& golden : golden_texts()) {
    Ids expected = {101};
    expected.insert(expected.end(), golden.ids.begin(), golden.ids.end());
    expected.push_back(102);
    EXPECT_EQ(bert.encode(golden.text, 512), expected) << golden.text;
  }
}

TEST(Tokenizer, SpecialPiecesStayWholeWhereverTheyStand) {
  EXPECT_EQ(tokenizer().encode("hello[MASK]world", 512), ids_of("hello [MASK] world"));
  EXPECT_EQ(tokenizer().encode("[CLS][SEP] [PAD][UNK]", 512), ids_of("[CLS] [SEP] [PAD] [UNK]"));
  EXPECT_EQ(tokenizer().encode("[[MASK]]", 512), ids_of("[ [MASK] ]"));
  EXPECT_EQ(tokenizer().encode("[mask] [MA\u200BSK] [MASK", 512), ids_of("[ mask ] [ mask ] [ mask"));
}

TEST(Tokenizer, WithoutAMaskItIsText) {
  const Tokenizer maskless(Vocabulary("[UNK]\n[CLS]\n[SEP]\n[PAD]\n[\n]\nmask\n", "small"));
  EXPECT_EQ(maskless.encode("[MASK]", 512), (Ids{1, 4, 6, 5, 2}));
  EXPECT_EQ(maskless.padding_id(), 3);
}

TEST(Tokenizer, TheSpecialPiecesCountToTheMaximalLength) {
  EXPECT_EQ(tokenizer().encode("hello world how did", 6), ids_of("hello world how did"));
  EXPECT_EQ(tokenizer().encode("hello world how did", 5), ids_of("hello world how"));
  EXPECT_EQ(tokenizer().encode("hello world", 2), ids_of(""));
  EXPECT_EQ(tokenizer().encode("unaffable", 4), ids_of("una ##ffa"));  // cut inside a word
  EXPECT_EQ(tokenizer().encode("[MASK][MASK]", 3), ids_of("[MASK]"));
  for (const std::int64_t length : {-1, 0, 1}) {
    EXPECT_EQ(
        tests::usage_error_of([&] { (void)tokenizer().encode("a", length); }),
        "a maximum length of " + std::to_string(length) + " leaves no room for [CLS] and [SEP]; it must be at least 2");
  }
}

TEST(Tokenizer, AnyBytesGiveIdsOfTheVocabulary) {
  std::mt19937_64 random(7);
  const std::string alphabet = "[MASK]ax \t\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xCC\x81\xED\xA0\xFF";
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 120, '\0');
    const bool any = round % 2 == 0;
    for (char& byte : text) byte = any ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
    const auto max_length = static_cast<std::int64_t>(2 + random() % 100);
    const Ids ids = tokenizer().encode(text, max_length);
    ASSERT_LE(std::ssize(ids), max_length);
    ASSERT_EQ(ids.front(), small_vocabulary().find("[CLS]"));
    ASSERT_EQ(ids.back(), small_vocabulary().find("[SEP]"));
    for (const std::int32_t id : ids) ASSERT_TRUE(id >= 0 && id < tokenizer().vocabulary_size());
  }
}

using namespace std::string_literals;

std::vector<std::string> words_of(const std::string& text) {
  const std::string normalised = normalise(text);
  std::string_view rest = normalised;
  std::vector<std::string> words;
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) words.emplace_back(word);
  return words;
}

using Words = std::vector<std::string>;

TEST(Normalise, DropsControlFormatAndPrivateCharacters) {
  EXPECT_EQ(normalise("a\0b\x01\x0B\x0C\x1F\x7F\u0085c"s), "abc");
  EXPECT_EQ(normalise("a\u00AD\u200B\u200D\u2060\uFEFFb"), "ab");
  EXPECT_EQ(normalise("a\uE000\U000F0000\U0010FFFDb"), "ab");
  EXPECT_EQ(normalise("a\uFFFDb"), "ab");
}

TEST(Normalise, KeepsUnassignedCodePoints) {
  EXPECT_EQ(normalise("\u0378\U0010FFFF"), "\u0378\U0010FFFF");
}

TEST(Normalise, MakesBlanksOfTabsLineBreaksAndSeparators) {
  EXPECT_EQ(normalise("\t\n\r \u00A0\u1680\u2003\u2028\u2029\u202F\u3000"), std::string(11, ' '));
}

TEST(Normalise, SetsIdeographsApartButNeitherKanaNorHangul) {
  EXPECT_EQ(normalise("a你b"), "a 你 b");
  EXPECT_EQ(normalise("\u3400\u4DBF\u4DC0"), " \u3400  \u4DBF \u4DC0");
  EXPECT_EQ(normalise("\U00020000\U0002A6DF\U0002A6E0"), " \U00020000  \U0002A6DF \U0002A6E0");
  EXPECT_EQ(normalise("\U0002B81F\U0002B820\U0002B920"), " \U0002B81F \U0002B820 \U0002B920 ");
  EXPECT_EQ(normalise("\uF900"), " \u8C48 ");
  EXPECT_EQ(normalise("テ"), "テ");
  EXPECT_EQ(normalise("가"), "\u1100\u1161");
}

TEST(Normalise, LowersAndStripsAccents) {
  EXPECT_EQ(normalise("AZaz09"), "azaz09");
  EXPECT_EQ(normalise("ÀÉÎÕÜ Ñ ç e\u0301\u0327"), "aeiou n c e");
  EXPECT_EQ(normalise("İIı"), "iiı");
  EXPECT_EQ(normalise("ẞß ΑΣ \u212A\u212B"), "ßß ασ ka");      // the final sigma has no special form
  EXPECT_EQ(normalise("\uFB01 ½ ² ① Ａ"), "\uFB01 ½ ² ① ａ");  // compatibility characters are not replaced
  EXPECT_EQ(normalise("\u0301\u0302"), "");
}

// Marks that are not accents (Mc) stay, sorted by class. A dropped character between them does not stop the
// sorting, but an accent of class 0 (U+034F) does.
TEST(Normalise, OrdersMarks) {
  const std::string ordered = "a\U0001D165\u302E";
  EXPECT_EQ(normalise("a\u302E\U0001D165"), ordered);
  EXPECT_EQ(normalise(ordered), ordered);
  EXPECT_EQ(normalise("a\u302E\0\U0001D165"s), ordered);
  EXPECT_EQ(normalise("a\u302E\u200B\u0301\xFF\U0001D165"), ordered);
  EXPECT_EQ(normalise("a\u302E\u034F\U0001D165"), "a\u302E\U0001D165");
  EXPECT_EQ(normalise("a\u302Eb\U0001D165"), "a\u302Eb\U0001D165");
}

TEST(Normalise, DropsBytesThatAreNotUtf8) {
  EXPECT_EQ(normalise("a\x80z"), "az");                          // a continuation byte without a start
  EXPECT_EQ(normalise("a\xC3(z"), "a(z");                        // an incomplete sequence
  EXPECT_EQ(normalise("a\xE2\x82z\xE2\x82"), "az");              // incomplete sequences, one of them at the end
  EXPECT_EQ(normalise("a\xC0\xAF\xE0\x80\xAFz"), "az");          // overlong forms
  EXPECT_EQ(normalise("a\xED\xA0\x80\xED\xBF\xBFz"), "az");      // surrogates
  EXPECT_EQ(normalise("a\xF4\x90\x80\x80\xF5\xFF\xFEz"), "az");  // beyond U+10FFFF
  EXPECT_EQ(normalise("sister\xF0"
                      "city"),
            "sistercity");
}

TEST(NextWord, PunctuationIsAWordOfItsOwn) {
  EXPECT_EQ(words_of("don't stop--now!"), (Words{"don", "'", "t", "stop", "-", "-", "now", "!"}));
  EXPECT_EQ(words_of("a—b…「c」؟"), (Words{"a", "—", "b", "…", "「", "c", "」", "؟"}));
  EXPECT_EQ(words_of("a\u037Eb"), (Words{"a", ";", "b"}));  // U+037E decomposes to a semicolon
  EXPECT_EQ(words_of("$^`|~+<=>"), (Words{"$", "^", "`", "|", "~", "+", "<", "=", ">"}));
  EXPECT_EQ(words_of("a€b×c"), (Words{"a€b×c"}));  // symbols beyond ASCII are not punctuation
}

TEST(NextWord, NothingIsNoWord) {
  EXPECT_EQ(words_of(""), Words{});
  EXPECT_EQ(words_of(" \t\n\u3000\u200B\u0301 "), Words{});
}

}  // namespace
}  // namespace mpsbench::text
