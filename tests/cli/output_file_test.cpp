#include "cli/commands/output_file.hpp"

#include "cli/support.hpp"

#include <CLI/CLI.hpp>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::usage_error_of;
using Words = std::vector<std::string>;

const Printed kPrinted{{"table", "csv", "json"}};

TEST(OutputFile, IsWrittenWholeOrIsStdout) {
  const tests::Scratch scratch;
  const auto file = scratch / "new/out.txt";
  (void)chosen_output({"csv", file.string()}, kPrinted);
  EXPECT_FALSE(std::filesystem::exists(file)) << "a proof leaves nothing";
  write_output(file.string(), "text\n");
  EXPECT_EQ(tests::content(file), "text\n");
  const tests::Outcome outcome = tests::caught([] {
    write_output("-", "text\n");
    return 0;
  });
  EXPECT_EQ(outcome.out, "text\n");
  const std::string folder = scratch.root().string();
  const auto refusal = [](const std::string& place) {
    return usage_error_of([&] { (void)chosen_output({"csv", place}, kPrinted); });
  };
  EXPECT_TRUE(contains(refusal(folder), "cannot write " + folder + ": this is a folder"));
  EXPECT_TRUE(contains(refusal("/dev/null/x"), "--output"));
}

TEST(ChosenOutput, HasTheFormatThatTheUserNamesOrThatOfTheEnding) {
  const tests::CurrentScratch scratch;
  const std::tuple<OutputChoice, const char*, const char*> rows[] = {
      {{}, "table", "the usual one"}, {{"csv", ""}, "csv", ""},
      {{"csv", "a.json"}, "csv", ""}, {{"csv", "csv"}, "csv", "-f makes it clear that -o names a file"},
      {{"", "a.json"}, "json", ""},   {{"", "./csv.txt"}, "table", ""}};
  for (const auto& [choice, format, why] : rows) EXPECT_EQ(chosen_output(choice, kPrinted).format->name, format) << why;
  EXPECT_TRUE(chosen_output({"csv", "-"}, kPrinted).is_stdout());
  const Printed always{{"json", "csv"}, "json", true};
  EXPECT_EQ(chosen_output({"", "a"}, always).format->name, "json");
  EXPECT_EQ(chosen_output({"", "a.csv"}, always).format->name, "csv");
}

TEST(ChosenOutput, RefusesAFileWithoutAFormat) {
  const tests::CurrentScratch scratch;
  const auto refusal = [](const char* file) {
    return usage_error_of([&] { (void)chosen_output({"", file}, kPrinted); });
  };
  for (const char* file : {"a", "a.md", "./csv"})
    EXPECT_EQ(refusal(file), std::string("--output: the ending of ") + file +
                                 " names no format here; write -f FORMAT before -o, or use an ending out of .txt, "
                                 ".csv, .json");
  for (const char* name : {"csv", "junit", "table"})
    EXPECT_EQ(refusal(name), std::string("-o names a file; for the format write -f ") + name +
                                 " (to write a file of this name: -o ./" + name + ")");
  EXPECT_EQ(usage_error_of([] { (void)chosen_output({}, {{"csv", "md"}, ""}); }),
            "--format is missing; write -f FORMAT, one of csv, md");
}

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

TEST(RunOutputs, PairEachFileWithTheFormatBeforeItOrThatOfItsEnding) {
  const std::pair<Words, const char*> rows[] = {
      {{}, ""},
      {{"-f", "csv", "-o", "a.csv"}, "csv a.csv"},
      {{"-f", "csv", "-o", "a.csv", "-f", "md", "-o", "b.md"}, "csv a.csv, md b.md"},
      {{"--format=bencher", "--output=a.json", "-fjunit", "-ob"}, "bencher a.json, junit b"},
      {{"-f", "csv", "-o", "md"}, "csv md"},  // a file may have a format's name
      {{"-o", "a.txt", "-f", "md"}, "md a.txt"},
      {{"-f", "csv"}, "csv -"},
      {{"-f", "csv", "-o", "-"}, "csv -"},
      {{"-o", "-"}, "table -"},
      {{"-f", "csv", "-f", "md", "-o", "b.md"}, "csv -, md b.md"},
      {{"-f", "md", "-o", "b.md", "-f", "csv"}, "md b.md, csv -"},
      {{"-o", "a.csv", "-o", "b.json", "-o", "c.xml"}, "csv a.csv, json b.json, junit c.xml"},
      {{"-f", "md", "-o", "a", "-o", "b.html"}, "md a, html b.html"}};
  for (const auto& [words, expected] : rows) EXPECT_EQ(outputs(words), expected);
}

TEST(RunOutputs, RefuseWhatCannotBeMeant) {
  const std::pair<Words, const char*> rows[] = {
      {{"-o", "a.dat"}, "--output: the ending of a.dat names no format here; write -f"},
      {{"-o", "csv"}, "-o names a file; for the format write -f csv (to write a file of this name: -o ./csv)"},
      {{"-f", "csv", "-f", "md"}, "-f csv and -f md both go to stdout; write -o FILE after one of them"},
      {{"-f", "csv", "-o", "-", "-f", "md"}, "both go to stdout"},
      {{"-f", "csv", "-o", "a.csv", "-f", "csv", "-o", "./a.csv"},
       "--output: ./a.csv is given twice; each format needs its own file"},
      {{"-f", "md", "-o", "a", "-f", "csv", "-o", "x/../a"}, "given twice"},
      {{"-o", "a.csv", "-f", "csv", "-o", "b.md", "-f", "md"},  // each file before its format
       "-f csv -o b.md: the file's ending belongs to another format; write each -f before its -o"},
      {{"-o", ""}, "--output: must not be empty"}};
  for (const auto& [words, said] : rows) {
    const std::string error = usage_error_of([&] { (void)outputs(words); });
    EXPECT_TRUE(contains(error, said)) << error;
  }
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
