// The command line as data, read off the parser's own objects: what --help, shell completion and the manual
// page are made of, so that they cannot disagree.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct Argument {
  std::vector<std::string> names;  // "-m", "--model"; "SUITE" alone for a positional
  std::string value_name;          // "NAME,..."; empty for a flag
  std::string help;
  std::vector<std::string> values;  // that are known; empty where anything goes
  bool is_list = false;             // several of them with commas between
  bool is_repeated = false;         // a positional that takes any number of words
  bool takes_files = false;         // also or only

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

// Of APP and its commands. Values of models and suites are those that are installed. Throws Error(usage)
// where the program's files are not found.
[[nodiscard]] Command command_tree(CLI::App& app);

}  // namespace mpsbench::cli
