// The command line as data, read from the parser's own objects. --help, shell completion and the manual page
// use the same objects, so they always agree.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct Argument {
  std::vector<std::string> names;  // "-m", "--model"; a positional has one, "SUITE"
  std::string value_name;          // "NAME,..."; empty for a flag
  std::string help;
  std::vector<std::string> values;  // known values; empty if any value is allowed
  bool is_list = false;             // takes several values, separated by commas
  bool is_repeated = false;         // is a positional that takes any number of words
  bool takes_files = false;         // the value may be a file

  [[nodiscard]] bool takes_value() const { return !value_name.empty(); }
};

struct Command {
  std::string name;
  std::string help;
  std::string footer;
  std::vector<Argument> options;
  std::vector<Argument> positionals;
  std::vector<Command> commands;
};

// Returns the tree of APP and its commands. It lists the installed models and suites as values. Throws
// Error(usage) if the program's files are not found.
[[nodiscard]] Command command_tree(CLI::App& app);

}  // namespace mpsbench::cli
