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

}  // namespace
}  // namespace mpsbench::text
