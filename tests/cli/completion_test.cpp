#include "cli/shell/command_tree.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

// What the shells make of the scripts is for tests/e2e/shells_test.py; here: what they must not take for
// their own.
namespace mpsbench::cli {
namespace {

using tests::contains;

// A command line whose texts hold whatever a shell or roff takes for its own.
Command sample_tree() {
  const Argument mode{{"-m", "--mode"}, "A,B", "it's [this]: \\ or that", {"train", "infer"}, true, false, false};
  const Argument quiet{{"--quiet"}, "", "say less", {}, false, false, false};
  const Argument file{{"FILE"}, "FILE", "a file", {}, false, true, true};
  const Command run{"run", "do it: now", ".first\n\n'second", {mode, quiet}, {file}, {}};
  return {"", "A program", "Exit codes: 0", {quiet}, {}, {run}};
}

TEST(Completion, OfBashNamesWordsAndValues) {
  const std::string script = bash_completion(sample_tree());
  EXPECT_TRUE(contains(script, "        -m|--mode) values='train infer' list=yes ;;\n")) << script;
  EXPECT_TRUE(contains(script, "      words='-m --mode --quiet'\n"));
  EXPECT_FALSE(contains(script, "COMMANDS"));
}

TEST(Completion, OfZshQuotesForTheShellAndForArguments) {
  const std::string script = zsh_completion(sample_tree());
  EXPECT_TRUE(contains(
      script, R"('(-m --mode)'{-m,--mode}'[it'\''s \[this\]\: \\ or that]:A,B:{_values -s , value train infer}')"))
      << script;
  EXPECT_TRUE(contains(script, R"('run:do it\: now')"));
  EXPECT_TRUE(contains(script, R"('*:FILE:_files')"));
}

TEST(Completion, OfFishQuotes) {
  const std::string script = fish_completion(sample_tree());
  EXPECT_TRUE(contains(script, R"( -s m -l mode -x -a '(__fish_append , train infer)' -d 'it\'s [this]: \\ or that')"))
      << script;
  EXPECT_TRUE(contains(script, " -l quiet -d 'say less'\n"));
}

TEST(ManualPage, HoldsCommandsAndOptionsEscaped) {
  const std::string page = manual_page(sample_tree(), "mpsbench 1.2");
  EXPECT_EQ(page.rfind(".TH MPSBENCH 1 \"\" \"mpsbench 1.2\"\n.SH NAME\n", 0), 0U);
  for (const char* part : {".SS \\fBrun\\fR\n", "[\\fIoptions\\fR] \\fIFILE\\fR...\n", "do it: now.\n",
                           ".TP\n\\fB\\-m\\fR, \\fB\\-\\-mode\\fR \\fIA,B\\fR\nit's [this]: \\e or that\n",
                           ".TP\n\\fB\\-\\-quiet\\fR\nsay less\n", ".nf\n\\&.first\n\\&\n\\&'second\n.fi\n",
                           ".SH \"EXIT STATUS\"\n.nf\nExit codes: 0\n.fi\n"})
    EXPECT_TRUE(contains(page, part)) << part << "\nin\n" << page;
}

}  // namespace
}  // namespace mpsbench::cli
