// The command line as data, read from the parser's own objects. --help, shell completion and the manual page
// use the same objects, so they always agree.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

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

// Functions that the completion scripts share.
inline std::string joined(const std::vector<std::string>& words, const std::string& between) {
  return fmt::format("{}", fmt::join(words, between));
}

inline std::vector<std::string> option_words(const Command& command) {
  std::vector<std::string> words;
  for (const Argument& option : command.options) words.insert(words.end(), option.names.begin(), option.names.end());
  return words;
}

inline std::vector<std::string> command_words(const Command& command) {
  std::vector<std::string> words;
  for (const Command& one : command.commands) words.push_back(one.name);
  return words;
}

// Replaces every OLD in TEXT.
inline std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
  return text;
}

}  // namespace mpsbench::cli
