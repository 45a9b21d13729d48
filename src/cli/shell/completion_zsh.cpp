#include "cli/shell/completion.hpp"
#include "cli/shell/shell_words.hpp"

namespace mpsbench::cli {
namespace {

// Returns TEXT in single quotes.
std::string quoted_for_zsh(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

// Returns TEXT for _arguments, which gives brackets and colons a meaning.
std::string explained(const std::string& text) {
  std::string safe = replaced(text, "\\", "\\\\");
  for (const char* special : {"[", "]", ":"}) safe = replaced(safe, special, std::string("\\") + special);
  return safe;
}

std::string action_of(const Argument& argument) {
  if (argument.values.empty()) return argument.takes_files ? "_files" : " ";
  const std::string values = joined(argument.values, " ");
  if (!argument.is_list && !argument.takes_files) return "(" + values + ")";
  const std::string chosen = "_values " + std::string(argument.is_list ? "-s , " : "") + "value " + values;
  return "{" + chosen + (argument.takes_files ? " || _files" : "") + "}";
}

std::string option_line(const Argument& option) {
  const std::string value =
      option.takes_value() ? ":" + explained(option.value_name) + ":" + action_of(option) : "";
  const std::string help = "[" + explained(option.help) + "]" + value;
  if (option.names.size() == 1) return quoted_for_zsh(option.names.front() + help);
  return quoted_for_zsh("(" + joined(option.names, " ") + ")") + "{" + joined(option.names, ",") + "}" +
         quoted_for_zsh(help);
}

std::string arguments(const Command& command, const std::string& indent) {
  std::string text;
  for (const Argument& option : command.options) text += " \\\n" + indent + option_line(option);
  for (const Argument& positional : command.positionals)
    text += " \\\n" + indent +
            quoted_for_zsh((positional.is_repeated ? "*:" : "1:") + explained(positional.value_name) + ":" +
                           action_of(positional));
  return text + "\n";
}

}  // namespace

std::string zsh_completion(const Command& program) {
  std::string text =
      "#compdef mpsbench\n# zsh completion for mpsbench: source this file after compinit, or save it as "
      "_mpsbench "
      "in $fpath.\n"
      "_mpsbench() {\n  local curcontext=$curcontext state line\n  local -a commands\n  typeset -A opt_args\n"
      "  commands=(\n";
  for (const Command& command : program.commands)
    text += "    " + quoted_for_zsh(command.name + ":" + explained(command.help)) + "\n";
  text += "  )\n  _arguments -C '1:command:->command' '*::argument:->argument'" + arguments(program, "    ");
  text +=
      "  case $state in\n    command) _describe command commands ;;\n    argument)\n      case $words[1] "
      "in\n";
  for (const Command& command : program.commands)
    text += "        " + command.name + ")\n          _arguments" + arguments(command, "            ") +
            "          ;;\n";
  return text +
         "      esac\n      ;;\n  esac\n}\n"
         "if [[ $funcstack[1] == _mpsbench ]]; then _mpsbench \"$@\"; else compdef _mpsbench mpsbench; fi\n";
}

}  // namespace mpsbench::cli
