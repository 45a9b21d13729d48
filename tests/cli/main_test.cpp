#include "cli/main.hpp"

#include "cli/support.hpp"

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::failure;
using tests::mpsbench;

TEST(Main, WantsACommand) {
  EXPECT_EQ(failure(2, {}), "mpsbench: name a command, such as run, list, doctor or compare; see --help\n");
}

TEST(Main, SpeaksItsOwnWordsAboutTheCommandLine) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> table{
      {{"rum"}, "unknown command 'rum' (did you mean 'run'?)"},
      {{"valdate", "x"}, "unknown command 'valdate' (did you mean 'validate'?)"},
      {{"frobnicate"}, "unknown command 'frobnicate'"},
      {{"run", "--modle", "mlp"}, "unknown option '--modle' (did you mean '--model'?)"},
      {{"list", "models", "--fromat", "json"}, "unknown option '--fromat' (did you mean '--format'?)"},
      {{"doctor", "now"}, "doctor: the word 'now' is one too many; leave it out"},
      {{"run", "-x"}, "unknown option '-x'"},
      {{"run", "--mod", "mlp"}, "unknown option '--mod' (did you mean '--mode' or '--model'?)"},
      {{"run", "-m"}, "--model: the value is missing"},
      {{"run", "-r", "1", "-r", "2"}, "--repeats: given more than once; give it once"},
      {{"compare", "a", "b", "--alpha", "1", "--alpha", "2"}, "--alpha: given more than once; give it once"},
      {{"compare"}, "REPORT is missing"},
      {{"completion", "ksh"}, "SHELL: unknown shell 'ksh' (did you mean 'zsh'?); known: bash, zsh, fish"},
      {{"list", "models", "-f", ""},
       "--format: found an empty value, expected a format; known: table, md, csv, json, jsonl"},
      {{"list", "models", "--format="}, "--format: the value is missing"}};
  for (const auto& [words, said] : table) EXPECT_EQ(failure(2, words), "mpsbench: " + said + "; see --help\n");
  EXPECT_EQ(failure(2, {"compare", "a", "b", "--color", "alwys"}),
            "mpsbench: --color: unknown value 'alwys' (did you mean 'always'?); known: auto, always, never\n");
}

TEST(Main, TellsVersionAndHelp) {
  const tests::Outcome version = mpsbench({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("mpsbench 0.", 0), 0U) << version.out;
  const tests::Outcome help = mpsbench({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  for (const char* word : {"run", "list", "doctor", "ops", "validate", "Exit codes", "130"}) {
    EXPECT_TRUE(contains(help.out, word)) << word;
  }
}

TEST(Main, LetsNoWordSteerTheTerminal) {
  const std::string line = failure(2, {"run", "\x1B[31mred\x07\n.json"});
  EXPECT_FALSE(contains(line, "\x1B")) << line;
  EXPECT_FALSE(contains(failure(2, {"\x1B[31mrun"}), "\x1B"));
}

TEST(Main, GivesThePlaceOfABadValue) {
  EXPECT_EQ(failure(2, {"run", "-m", "mlp", "--threads", "0"}),
            "mpsbench: --threads: expected whole numbers from 1 to 4096 such as 1,2,4 or 1-8*2, found '0'\n");
  EXPECT_TRUE(contains(failure(2, {"run", "-m", "mlp", "-b", "0"}), "--batch-size: expected sizes"));
  EXPECT_TRUE(contains(failure(2, {"run", "-m", "mlp,,vgg16"}), "--model: "));
}

}  // namespace
}  // namespace mpsbench::cli
