#include "cli/shell/completion.hpp"

#include "cli/shell/command_tree.hpp"
#include "cli/shell/options.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

namespace mpsbench::cli {

void add_completion_command(CLI::App& app, std::function<base::ExitCode()>& chosen) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  const auto shell = std::make_shared<std::string>();
  take_only_names(*command->add_option("SHELL", *shell, "bash, zsh or fish")->required(), "shell",
                  {"bash", "zsh", "fish"});
  command->callback([&app, &chosen, shell] {
    chosen = [&app, shell] {
      const Command program = command_tree(app);
      const std::string text = *shell == "bash"  ? bash_completion(program)
                               : *shell == "zsh" ? zsh_completion(program)
                                                 : fish_completion(program);
      std::fputs(text.c_str(), stdout);
      return base::ExitCode::ok;
    };
  });
}

namespace {

// Uses only what Bash 3.2 has, the version of macOS. Bash splits words at `=`, but not at commas.
constexpr const char* kHead =
    R"(# bash completion for mpsbench: source this file, or save it as mpsbench in bash-completion's folder.
_mpsbench() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words= values= list= i
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      COMMANDS) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  case $command in
)";

constexpr const char* kTail = R"(  esac
  COMPREPLY=()
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  elif [[ -n $list && $cur == *,* ]]; then
    COMPREPLY=($(compgen -P "${cur%,*}," -W "$values" -- "${cur##*,}"))
  else
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
  fi
}
complete -o bashdefault -o default -F _mpsbench mpsbench
)";

// Returns the words to offer if the previous word is not an option that needs a value.
std::vector<std::string> free_words(const Command& command) {
  std::vector<std::string> words = command_words(command);
  for (const Argument& positional : command.positionals)
    words.insert(words.end(), positional.values.begin(), positional.values.end());
  return words;
}

std::string branch(const std::string& pattern, const Command& command) {
  std::string text = "    " + pattern + ")\n      words='" + joined(option_words(command), " ") + "'\n";
  text += "      case $prev in\n";
  for (const Argument& option : command.options) {
    if (!option.takes_value()) continue;
    text += "        " + joined(option.names, "|") + ") values='" + joined(option.values, " ") + "'" +
            (option.is_list ? " list=yes" : "") + " ;;\n";
  }
  return text + "        *) values='" + joined(free_words(command), " ") + "' ;;\n      esac\n      ;;\n";
}

}  // namespace

std::string bash_completion(const Command& program) {
  std::string text = replaced(kHead, "COMMANDS", joined(command_words(program), "|"));
  text += branch("''", program);
  for (const Command& command : program.commands) text += branch(command.name, command);
  return text + kTail;
}

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
    text += "complete -c mpsbench -n " + first + " -a " + command.name + " -d " + quoted_for_fish(command.help) + "\n";
  text += lines_of(program, first);
  for (const Command& command : program.commands)
    text += lines_of(command, "__fish_seen_subcommand_from " + command.name);
  return text;
}

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
  const std::string value = option.takes_value() ? ":" + explained(option.value_name) + ":" + action_of(option) : "";
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
    text +=
        "        " + command.name + ")\n          _arguments" + arguments(command, "            ") + "          ;;\n";
  return text +
         "      esac\n      ;;\n  esac\n}\n"
         "if [[ $funcstack[1] == _mpsbench ]]; then _mpsbench \"$@\"; else compdef _mpsbench mpsbench; fi\n";
}

}  // namespace mpsbench::cli
