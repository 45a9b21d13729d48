#include "cli/shell/command_tree.hpp"

#include "cli/commands/commands.hpp"
#include "output/export/export_formats.hpp"
#include "suite/option.hpp"

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include <algorithm>

namespace mpsbench::cli {
namespace {

using Words = std::vector<std::string>;

class CommandTree : public testing::Test {
 protected:
  CommandTree() {
    app_.footer("at last");
    add_run_command(app_, {}, chosen_);
    add_compare_command(app_, chosen_);
  }

  static Argument find(const std::vector<Argument>& arguments, const std::string& name) {
    for (const Argument& one : arguments) {
      if (std::find(one.names.begin(), one.names.end(), name) != one.names.end()) return one;
    }
    ADD_FAILURE() << "no " << name;
    return {};
  }

  CLI::App app_{"a program"};
  Action chosen_;
};

TEST_F(CommandTree, HasEveryCommandAndOption) {
  const Command tree = command_tree(app_);
  EXPECT_EQ(tree.help, "a program");
  EXPECT_EQ(tree.footer, "at last");
  ASSERT_EQ(tree.commands.size(), 2U);
  const Command& run = tree.commands[0];
  EXPECT_EQ(run.name, "run");
  for (const suite::Option& option : suite::options()) {
    const Argument argument = find(run.options, "--" + option.name);
    EXPECT_EQ(argument.help, option.help);
    EXPECT_EQ(argument.value_name, option.value_name);
    EXPECT_EQ(argument.is_list, option.kind == suite::OptionKind::list) << option.name;
    for (const std::string& value : argument.values) {
      suite::Settings settings;
      EXPECT_NO_THROW(option.set(settings, value, "--" + option.name)) << option.name;
    }
  }
  EXPECT_EQ(find(run.options, "--help").value_name, "");
}

TEST_F(CommandTree, KnowsTheValuesOfClosedSets) {
  const Command tree = command_tree(app_);
  const std::vector<Argument>& options = tree.commands[0].options;
  EXPECT_EQ(find(options, "-m").names, (Words{"-m", "--model"}));
  EXPECT_EQ(find(options, "--model").values.back(), "all");
  EXPECT_GT(find(options, "--model").values.size(), 5U);
  EXPECT_EQ(find(options, "--mode").values, (Words{"train", "infer", "generate", "data"}));
  EXPECT_EQ(find(options, "--engine").values, (Words{"eager", "graph", "compiled", "compiled-graph"}));
  EXPECT_EQ(find(options, "--seed").values, Words{});
  EXPECT_EQ(find(tree.commands[1].options, "--format").values, (Words{"table", "md", "csv", "json", "junit"}));
  EXPECT_EQ(find(tree.commands[1].options, "--format").value_name, "FORMAT");
  EXPECT_EQ(find(options, "-f").values, output::formats_with(&output::ExportFormat::report));
  EXPECT_EQ(find(tree.commands[1].options, "--threshold").values, Words{});
}

TEST_F(CommandTree, KnowsWhatTakesFiles) {
  const Command tree = command_tree(app_);
  const Argument suite = find(tree.commands[0].positionals, "SUITE");
  EXPECT_TRUE(suite.takes_files && suite.is_repeated);
  EXPECT_TRUE(std::find(suite.values.begin(), suite.values.end(), "quick") != suite.values.end());
  EXPECT_TRUE(find(tree.commands[0].options, "--export-json").takes_files);
  EXPECT_TRUE(find(tree.commands[0].options, "-o").takes_files);
  EXPECT_TRUE(find(tree.commands[1].options, "-o").takes_files);
  EXPECT_FALSE(find(tree.commands[0].options, "--seed").takes_files);
  EXPECT_TRUE(find(tree.commands[1].positionals, "REPORT").takes_files);
}

}  // namespace
}  // namespace mpsbench::cli
