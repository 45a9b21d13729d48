#include "input/dataset/trec.hpp"

#include "input/dataset/support.hpp"

namespace mpsbench::dataset {
namespace {

using schema::DataPart;
using schema::TrecLabels;
using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

std::vector<Question> read(const std::string& text, TrecLabels labels = TrecLabels::v1_1_0) {
  const Scratch scratch;
  scratch.write("TREC_10.label", text);
  return open_trec(scratch.root(), DataPart::test, labels);
}

std::string trec_refusal(const std::string& text) {
  return usage_error_of([&] { (void)read(text); });
}

TEST(Trec, ReadsTheFirstRowOfTheRealFile) {
  const Scratch scratch;
  const std::string text = "DESC:manner How did serfdom develop in and then leave Russia ?\n";
  scratch.write("train_5500.label", text);
  const std::vector<Question> questions = open_trec(scratch.root(), DataPart::train);
  ASSERT_EQ(questions.size(), 1U);
  EXPECT_EQ(questions[0].coarse, 0);
  EXPECT_EQ(questions[0].text, "How did serfdom develop in and then leave Russia ?");
  EXPECT_TRUE(contains(usage_error_of([&] { (void)open_trec(scratch.root(), DataPart::test); }),
                       "no TREC_10.label here; 'scripts/fetch_data trec --data-dir "));
  scratch.write("TREC_10.label.gz", "packed");
  EXPECT_TRUE(contains(usage_error_of([&] { (void)open_trec(scratch.root(), DataPart::test); }),
                       "TREC_10.label.gz: is packed; unpack it with 'gunzip -k "));
}

// The expected ids follow the label lists of Hugging Face's data set "trec" in its two versions.
TEST(Trec, NumbersLabelsInBothOrders) {
  const std::string text =
      "ABBR:abb a\nENTY:cremat b\nDESC:desc c\nHUM:desc d\nLOC:other e\nNUM:weight f\nENTY:other g\nENTY:word h\n";
  const std::pair<TrecLabels, std::vector<std::int64_t>> versions[] = {{TrecLabels::v1_1_0, {2, 1, 0, 3, 5, 4, 1, 1}},
                                                                       {TrecLabels::v2_0_0, {0, 1, 2, 3, 4, 5, 1, 1}}};
  for (const auto& [version, expected] : versions) {
    std::vector<std::int64_t> labels;
    for (const Question& question : read(text, version)) labels.push_back(question.coarse);
    EXPECT_EQ(labels, expected);
  }
}

TEST(Trec, TakesTheOddByteForABlank) {
  EXPECT_EQ(read("LOC:city What is the sister\xF0"
                 "city of Reims ?\n")
                .at(0)
                .text,
            "What is the sister city of Reims ?");
  EXPECT_EQ(read("LOC:city Where is Z\xC3\xBCrich ?").at(0).text, "Where is Z\xC3\xBCrich ?");
}

TEST(Trec, KeepsCharactersThatBeginWithThatByte) {
  EXPECT_EQ(read("LOC:city Where \U0001F642 is\xF0it ?").at(0).text, "Where \U0001F642 is it ?");
}

TEST(Trec, TakesFilesOfOtherEditors) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::vector<Question> questions =
        read("\xEF\xBB\xBFLOC:city Where ?" + std::string(end) + "NUM:date When ?" + end);
    ASSERT_EQ(questions.size(), 2U);
    EXPECT_EQ(questions[0].text, "Where ?");
    EXPECT_EQ(questions[1].text, "When ?");
  }
  EXPECT_EQ(read("LOC:city Where\rnow ?\n").at(0).text, "Where\rnow ?");
}

TEST(Trec, StripsWhiteSpaceAroundTheRow) {
  EXPECT_EQ(read(" LOC:city \tWhere ? \r\n").at(0).text, "Where ?");
}

TEST(Trec, RefusesALineWithItsNumber) {
  const std::string good = "LOC:city Where ?\n";
  for (const char* bad : {"LOC:city\n", "LOC:cities Where ?\n", "PLACE:city Where ?\n", "Where is LOC:city ?\n", "\n",
                          "LOC: Where ?\n", "loc:city Where ?\n", "NUM:city Where ?\n"}) {
    EXPECT_TRUE(contains(trec_refusal(good + bad + good), "TREC_10.label: line 2 is not 'COARSE:fine question'"))
        << bad;
  }
  EXPECT_TRUE(contains(trec_refusal(good + good + "LOC:city\x1b[2J"), "line 3"));
}

TEST(Trec, RefusesWhatIsNotUtf8) {
  // Stray and missing continuation bytes, an overlong form, a surrogate, and a value above U+10FFFF.
  for (const char* bad :
       {"\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    EXPECT_TRUE(contains(trec_refusal(std::string("LOC:city Where ") + bad + "\n"), "line 1 is not UTF-8")) << bad;
  }
  for (const char* good : {"\xDF\xBF", "\xE0\xA0\x80", "\xEF\xBF\xBD", "\xF1\x80\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(read(std::string("LOC:city ") + good).at(0).text, good);
  }
}

}  // namespace
}  // namespace mpsbench::dataset
