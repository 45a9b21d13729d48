#include "cli/commands/output_file.hpp"

#include "base/json_file.hpp"
#include "cli/support.hpp"

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::usage_error_of;

TEST(OutputFile, IsWrittenWhole) {
  const tests::Scratch scratch;
  const std::string file = (scratch.root() / "new" / "out.txt").string();
  require_output(file);
  EXPECT_FALSE(std::filesystem::exists(file)) << "a proof leaves nothing";
  write_output(file, "text\n");
  EXPECT_EQ(base::read_text_file(file, 100), "text\n");
}

TEST(OutputFile, DashIsStdout) {
  require_output("-");
  const tests::Outcome outcome = tests::caught([] {
    write_output("-", "text\n");
    return 0;
  });
  EXPECT_EQ(outcome.out, "text\n");
}

TEST(OutputFile, RefusesWhatIsNoFile) {
  const tests::Scratch scratch;
  const std::string folder = scratch.root().string();
  EXPECT_TRUE(
      contains(usage_error_of([&] { require_output(folder); }), "cannot write " + folder + ": this is a folder"));
  EXPECT_TRUE(contains(usage_error_of([&] { require_output("/dev/null/x"); }), "--output"));
}

const Printed kPrinted{{"table", "csv", "json"}};

std::string format_of(const OutputChoice& choice) {
  return chosen_output(choice, kPrinted).format->name;
}

TEST(ChosenOutput, HasTheFormatThatTheUserNames) {
  const tests::CurrentScratch scratch;
  EXPECT_EQ(format_of({}), "table");
  EXPECT_EQ(format_of({"csv", ""}), "csv");
  EXPECT_EQ(format_of({"csv", "a.json"}), "csv");
  EXPECT_EQ(format_of({"csv", "csv"}), "csv") << "-f makes it clear that -o names a file";
  EXPECT_TRUE(chosen_output({"csv", "-"}, kPrinted).is_stdout());
}

TEST(ChosenOutput, HasTheFormatOfTheEndingOtherwise) {
  const tests::CurrentScratch scratch;
  EXPECT_EQ(format_of({"", "a.json"}), "json");
  EXPECT_EQ(format_of({"", "./csv.txt"}), "table");
  for (const char* file : {"a", "a.md", "./csv"}) {
    EXPECT_EQ(usage_error_of([&] { (void)format_of({"", file}); }),
              std::string("--output: the ending of ") + file +
                  " names no format here; write -f FORMAT before -o, or use an ending out of .txt, .csv, .json");
  }
  const Printed always{{"json", "csv"}, "json", true};
  EXPECT_EQ(chosen_output({"", "a"}, always).format->name, "json");
  EXPECT_EQ(chosen_output({"", "a.csv"}, always).format->name, "csv");
}

TEST(ChosenOutput, KnowsTheOldSpelling) {
  for (const char* name : {"csv", "junit", "table"}) {
    EXPECT_EQ(usage_error_of([&] { (void)format_of({"", name}); }),
              std::string("-o names a file; for the format write -f ") + name +
                  " (to write a file of this name: -o ./" + name + ")");
  }
}

TEST(ChosenOutput, MustBeNamedIfNoFormatIsUsual) {
  EXPECT_EQ(usage_error_of([] { (void)chosen_output({}, {{"csv", "md"}, ""}); }),
            "--format is missing; write -f FORMAT, one of csv, md");
}

}  // namespace
}  // namespace mpsbench::cli
