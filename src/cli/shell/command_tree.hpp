// The command line as data, read from the parser's own objects, and what is made of it: completion scripts for
// shells and the manual page. --help uses the same objects, so all agree.
#pragma once

#include "base/error.hpp"

#include <functional>
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

// PROGRAM is the root of the tree. The user sources the script, or puts it where the shell looks for
// completions.
[[nodiscard]] std::string bash_completion(const Command& program);
[[nodiscard]] std::string zsh_completion(const Command& program);
[[nodiscard]] std::string fish_completion(const Command& program);
// Returns the page in roff, with the macros of man. VERSION is like "mpsbench 0.1.0".
[[nodiscard]] std::string manual_page(const Command& program, const std::string& version);

// Add commands that print these. APP is the whole program.
void add_completion_command(CLI::App& app, std::function<base::ExitCode()>& chosen);
void add_man_command(CLI::App& app, std::function<base::ExitCode()>& chosen);

}  // namespace mpsbench::cli
