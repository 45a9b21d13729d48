#include "cli/shell/completion.hpp"
#include "cli/shell/shell_words.hpp"

namespace mpsbench::cli {
namespace {

std::string quoted_for_fish(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// Returns text such as "-s m -l model".
std::string names_of(const Argument& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return text;
}

std::string values_of(const Argument& argument) {
  const std::string values = joined(argument.values, " ");
  if (argument.values.empty()) return "";
  return " -a " + quoted_for_fish(argument.is_list ? "(__fish_append , " + values + ")" : values);
}

std::string lines_of(const Command& command, const std::string& when) {
  const std::string lead = "complete -c mpsbench -n " + quoted_for_fish(when);
  std::string text;
  for (const Argument& option : command.options) {
    const char* kind = !option.takes_value() ? "" : option.takes_files ? " -r" : " -x";
    text += lead + names_of(option) + kind + values_of(option) + " -d " + quoted_for_fish(option.help) + "\n";
  }
  for (const Argument& positional : command.positionals) {
    if (!positional.values.empty())
      text += lead + values_of(positional) + " -d " + quoted_for_fish(positional.value_name) + "\n";
    if (positional.takes_files) text += lead + " -F\n";
  }
  return text;
}

}  // namespace

std::string fish_completion(const Command& program) {
  std::string text =
      "# fish completion for mpsbench: source this file, or save it as mpsbench.fish in fish's completions "
      "folder.\n"
      "complete -c mpsbench -f\n";
  const std::string first = "__fish_use_subcommand";
  for (const Command& command : program.commands)
    text += "complete -c mpsbench -n " + first + " -a " + command.name + " -d " +
            quoted_for_fish(command.help) + "\n";
  text += lines_of(program, first);
  for (const Command& command : program.commands)
    text += lines_of(command, "__fish_seen_subcommand_from " + command.name);
  return text;
}

}  // namespace mpsbench::cli
