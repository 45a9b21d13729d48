#include "cli/commands/output_file.hpp"
#include "cli/support.hpp"

#include <CLI/CLI.hpp>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::usage_error_of;

using Words = std::vector<std::string>;

// What `run WORDS` writes: "csv a.csv, md -".
std::string outputs(const Words& words) {
  CLI::App app;
  std::vector<OutputWord> found;
  add_paired_outputs(app, found);
  app.parse(Words(words.rbegin(), words.rend()));  // CLI11 takes the last word first
  std::string text;
  for (const ChosenOutput& one : paired_outputs(found))
    text += (text.empty() ? "" : ", ") + one.format->name + " " + one.file;
  return text;
}

std::string refusal(const Words& words) {
  return usage_error_of([&] { (void)outputs(words); });
}

TEST(RunOutputs, PairAFileWithTheFormatBeforeIt) {
  EXPECT_EQ(outputs({}), "");
  EXPECT_EQ(outputs({"-f", "csv", "-o", "a.csv"}), "csv a.csv");
  EXPECT_EQ(outputs({"-f", "csv", "-o", "a.csv", "-f", "md", "-o", "b.md"}), "csv a.csv, md b.md");
  EXPECT_EQ(outputs({"--format=bencher", "--output=a.json", "-fjunit", "-ob"}), "bencher a.json, junit b");
  EXPECT_EQ(outputs({"-f", "csv", "-o", "md"}), "csv md") << "a file may have a format's name";
}

TEST(RunOutputs, PairOneFormatAndOneFileInEitherOrder) {
  EXPECT_EQ(outputs({"-o", "a.txt", "-f", "md"}), "md a.txt");
}

TEST(RunOutputs, ShowAFormatWithoutAFileOnStdout) {
  EXPECT_EQ(outputs({"-f", "csv"}), "csv -");
  EXPECT_EQ(outputs({"-f", "csv", "-o", "-"}), "csv -");
  EXPECT_EQ(outputs({"-o", "-"}), "table -");
  EXPECT_EQ(outputs({"-f", "csv", "-f", "md", "-o", "b.md"}), "csv -, md b.md");
  EXPECT_EQ(outputs({"-f", "md", "-o", "b.md", "-f", "csv"}), "md b.md, csv -");
}

TEST(RunOutputs, TakeTheFormatOfTheEnding) {
  EXPECT_EQ(outputs({"-o", "a.csv", "-o", "b.json", "-o", "c.xml"}), "csv a.csv, json b.json, junit c.xml");
  EXPECT_EQ(outputs({"-f", "md", "-o", "a", "-o", "b.html"}), "md a, html b.html");
  EXPECT_TRUE(contains(refusal({"-o", "a.dat"}), "--output: the ending of a.dat names no format here; write -f"));
}

TEST(RunOutputs, NameTheNewSpellingOfAFormat) {
  for (const char* name : {"csv", "table", "jsonl"}) {
    EXPECT_EQ(refusal({"-o", name}), std::string("-o names a file; for the format write -f ") + name +
                                         " (to write a file of this name: -o ./" + name + ")");
  }
}

TEST(RunOutputs, RefuseTwoFormatsInOnePlace) {
  EXPECT_EQ(refusal({"-f", "csv", "-f", "md"}), "-f csv and -f md both go to stdout; write -o FILE after one of them");
  EXPECT_TRUE(contains(refusal({"-f", "csv", "-o", "-", "-f", "md"}), "both go to stdout"));
  EXPECT_EQ(refusal({"-f", "csv", "-o", "a.csv", "-f", "csv", "-o", "./a.csv"}),
            "--output: ./a.csv is given twice; each format needs its own file");
  EXPECT_TRUE(contains(refusal({"-f", "md", "-o", "a", "-f", "csv", "-o", "x/../a"}), "given twice"));
}

TEST(RunOutputs, NoticeFilesBeforeTheirFormats) {
  EXPECT_EQ(refusal({"-o", "a.csv", "-f", "csv", "-o", "b.md", "-f", "md"}),
            "-f csv -o b.md: the file's ending belongs to another format; write each -f before its -o");
}

TEST(RunOutputs, RefuseWhatIsNoFormatOrFile) {
  EXPECT_EQ(refusal({"-o", ""}), "--output: must not be empty");
  try {
    (void)outputs({"-f", "jsn"});
    FAIL();
  } catch (const CLI::ValidationError& error) {
    EXPECT_TRUE(contains(error.what(), "--format: unknown format 'jsn' (did you mean 'json'?); known: table, md"))
        << error.what();
  }
}

}  // namespace
}  // namespace mpsbench::cli
