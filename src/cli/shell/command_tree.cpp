#include "cli/shell/command_tree.hpp"

#include "base/resources.hpp"
#include "base/units.hpp"
#include "cli/shell/options.hpp"
#include "output/text/text.hpp"
#include "schema/host.hpp"
#include "suite/catalog.hpp"
#include "suite/host.hpp"
#include "suite/option.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string_view>

namespace mpsbench::cli {

namespace {

// The names that OPTION takes, if its validator describes itself as "{a,b}" like CLI::IsMember; otherwise
// empty.
std::vector<std::string> members(CLI::Option& option) {
  try {
    const std::string text = option.get_validator(0)->get_description();
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') return {};
    return base::split_list(text.substr(1, text.size() - 2)).value_or(std::vector<std::string>{});
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

std::vector<std::string> values_of(const std::string& name) {
  const suite::Catalog catalog(base::share_folder());
  if (name == "SUITE") return catalog.suite_names();
  if (name == "device") return suite::device_completions();
  if (name == "model") {
    std::vector<std::string> names = catalog.model_names();
    names.emplace_back("all");
    return names;
  }
  const suite::Option* option = suite::find_option(name);
  return option != nullptr ? option->choices : std::vector<std::string>{};
}

bool names_a_file(const std::string& name) {
  constexpr std::array<std::string_view, 5> kNames{"FILE", "DIR", "REPORT", "SUITE", "model"};
  return std::ranges::find(kNames, name) != kNames.end();
}

Argument argument_of(CLI::Option& option) {
  Argument argument;
  argument.help = option.get_description();
  argument.values = members(option);
  const std::string name = option.get_positional() ? option.get_name(true) : option.get_single_name();
  if (option.get_positional()) {
    argument.names = {name};
    argument.value_name = name;
    argument.is_repeated = option.get_items_expected_max() > 1;
  } else {
    for (const std::string& one : option.get_snames()) argument.names.push_back("-" + one);
    for (const std::string& one : option.get_lnames()) argument.names.push_back("--" + one);
    // CLI11 appends the validators' descriptions to the type's name.
    const std::string type = option.get_type_name();
    if (option.get_items_expected_max() > 0) argument.value_name = type.substr(0, type.find(":{"));
  }
  if (argument.values.empty()) argument.values = values_of(name);
  const suite::Option* known = suite::find_option(name);
  argument.is_list = known != nullptr && known->kind == suite::OptionKind::list;
  argument.takes_files = names_a_file(argument.value_name) || names_a_file(name);
  return argument;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> command_words(const Command& command) {
  std::vector<std::string> words;
  for (const Command& one : command.commands) words.push_back(one.name);
  return words;
}

// Replaces every OLD in TEXT.
std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
  return text;
}

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

std::string branch(const std::string& pattern, const Command& command) {
  std::vector<std::string> words;
  for (const Argument& option : command.options) words.insert(words.end(), option.names.begin(), option.names.end());
  std::string text = "    " + pattern + ")\n      words='" + joined(words, " ") + "'\n      case $prev in\n";
  for (const Argument& option : command.options) {
    if (!option.takes_value()) continue;
    text += "        " + joined(option.names, "|") + ") values='" + joined(option.values, " ") + "'" +
            (option.is_list ? " list=yes" : "") + " ;;\n";
  }
  // Where the previous word is not an option that needs a value.
  std::vector<std::string> free = command_words(command);
  for (const Argument& positional : command.positionals)
    free.insert(free.end(), positional.values.begin(), positional.values.end());
  return text + "        *) values='" + joined(free, " ") + "' ;;\n      esac\n      ;;\n";
}

std::string quoted_for_fish(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// Returns text such as "-s m -l model".
std::string fish_names(const Argument& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return text;
}

std::string fish_values(const Argument& argument) {
  const std::string values = joined(argument.values, " ");
  if (argument.values.empty()) return "";
  return " -a " + quoted_for_fish(argument.is_list ? "(__fish_append , " + values + ")" : values);
}

std::string fish_lines(const Command& command, const std::string& when) {
  const std::string lead = "complete -c mpsbench -n " + quoted_for_fish(when);
  std::string text;
  for (const Argument& option : command.options) {
    const char* kind = !option.takes_value() ? "" : option.takes_files ? " -r" : " -x";
    text += lead + fish_names(option) + kind + fish_values(option) + " -d " + quoted_for_fish(option.help) + "\n";
  }
  for (const Argument& positional : command.positionals) {
    if (!positional.values.empty())
      text += lead + fish_values(positional) + " -d " + quoted_for_fish(positional.value_name) + "\n";
    if (positional.takes_files) text += lead + " -F\n";
  }
  return text;
}

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

std::string zsh_arguments(const Command& command, const std::string& indent) {
  std::string text;
  for (const Argument& option : command.options) text += " \\\n" + indent + option_line(option);
  for (const Argument& positional : command.positionals)
    text += " \\\n" + indent +
            quoted_for_zsh((positional.is_repeated ? "*:" : "1:") + explained(positional.value_name) + ":" +
                           action_of(positional));
  return text + "\n";
}

// Returns TEXT as one line of running text. roff would take a dot or quote at its beginning for a request.
std::string escaped(const std::string& text) {
  const std::string safe = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  const bool request = !safe.empty() && (safe.front() == '.' || safe.front() == '\'');
  return request ? "\\&" + safe : safe;
}

std::string bold(const std::string& text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string tagged(const std::string& tag, const std::string& text) {
  return ".TP\n" + tag + "\n" + escaped(text) + "\n";
}

std::string option_text(const Argument& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  const std::string value = option.takes_value() ? " " + italic(option.value_name) : "";
  return tagged(joined(names, ", ") + value, option.help);
}

// Keeps the line breaks of TEXT.
std::string as_written(const std::string& text) {
  std::string lines;
  for (const std::string& line : output::lines_of(text)) lines += (line.empty() ? "\\&" : escaped(line)) + "\n";
  return ".nf\n" + lines + ".fi\n";
}

std::string manual_text(const Command& command) {
  std::string usage = bold("mpsbench " + command.name) + " [" + italic("options") + "]";
  for (const Argument& positional : command.positionals)
    usage += " " + italic(positional.value_name) + (positional.is_repeated ? "..." : "");
  std::string text = ".SS " + bold(command.name) + "\n" + usage + "\n.PP\n" + escaped(command.help) +
                     (command.help.ends_with('.') ? "\n" : ".\n");
  for (const Argument& positional : command.positionals) text += tagged(italic(positional.value_name), positional.help);
  for (const Argument& option : command.options) text += option_text(option);
  return text + (command.footer.empty() ? "" : ".PP\n" + as_written(command.footer));
}

}  // namespace

Command command_tree(CLI::App& app) {
  Command command{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (CLI::Option* option : app.get_options(std::function<bool(CLI::Option*)>())) {
    if (option->get_group().empty()) continue;  // hidden
    Argument argument = argument_of(*option);
    (option->get_positional() ? command.positionals : command.options).push_back(std::move(argument));
  }
  for (CLI::App* sub : app.get_subcommands(std::function<bool(CLI::App*)>()))
    command.commands.push_back(command_tree(*sub));
  return command;
}

std::string bash_completion(const Command& program) {
  std::string text = replaced(kHead, "COMMANDS", joined(command_words(program), "|"));
  text += branch("''", program);
  for (const Command& command : program.commands) text += branch(command.name, command);
  return text + kTail;
}

std::string zsh_completion(const Command& program) {
  std::string text =
      "#compdef mpsbench\n# zsh completion for mpsbench: source this file after compinit, or save it as "
      "_mpsbench "
      "in $fpath.\n"
      "_mpsbench() {\n  local curcontext=$curcontext state line\n  local -a commands\n  typeset -A opt_args\n"
      "  commands=(\n";
  for (const Command& command : program.commands)
    text += "    " + quoted_for_zsh(command.name + ":" + explained(command.help)) + "\n";
  text += "  )\n  _arguments -C '1:command:->command' '*::argument:->argument'" + zsh_arguments(program, "    ");
  text +=
      "  case $state in\n    command) _describe command commands ;;\n    argument)\n      case $words[1] "
      "in\n";
  for (const Command& command : program.commands)
    text += "        " + command.name + ")\n          _arguments" + zsh_arguments(command, "            ") +
            "          ;;\n";
  return text +
         "      esac\n      ;;\n  esac\n}\n"
         "if [[ $funcstack[1] == _mpsbench ]]; then _mpsbench \"$@\"; else compdef _mpsbench mpsbench; fi\n";
}

std::string fish_completion(const Command& program) {
  std::string text =
      "# fish completion for mpsbench: source this file, or save it as mpsbench.fish in fish's completions "
      "folder.\n"
      "complete -c mpsbench -f\n";
  const std::string first = "__fish_use_subcommand";
  for (const Command& command : program.commands)
    text += "complete -c mpsbench -n " + first + " -a " + command.name + " -d " + quoted_for_fish(command.help) + "\n";
  text += fish_lines(program, first);
  for (const Command& command : program.commands)
    text += fish_lines(command, "__fish_seen_subcommand_from " + command.name);
  return text;
}

std::string manual_page(const Command& program, const std::string& version) {
  std::string text = ".TH MPSBENCH 1 \"\" \"" + escaped(version) + "\"\n";
  text += ".SH NAME\nmpsbench \\- benchmark of deep\\-learning training and inference\n";
  text += ".SH SYNOPSIS\n" + bold("mpsbench") + " " + italic("command") + " [" + italic("options") + "]\n";
  text += ".SH DESCRIPTION\n" + escaped(program.help) + "\n";
  for (const Argument& option : program.options) text += option_text(option);
  text += ".SH COMMANDS\n";
  for (const Command& command : program.commands) text += manual_text(command);
  return text + ".SH \"EXIT STATUS\"\n" + as_written(program.footer);
}

void add_completion_command(CLI::App& app, std::function<base::ExitCode()>& chosen) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  const auto shell = std::make_shared<std::string>();
  take_only_names(*command->add_option("SHELL", *shell, "bash, zsh or fish")->required(), "shell",
                  {"bash", "zsh", "fish"});
  command->callback([&app, &chosen, shell] {
    chosen = [&app, shell] {
      const auto script = *shell == "bash" ? bash_completion : *shell == "zsh" ? zsh_completion : fish_completion;
      std::fputs(script(command_tree(app)).c_str(), stdout);
      return base::ExitCode::ok;
    };
  });
}

void add_man_command(CLI::App& app, std::function<base::ExitCode()>& chosen) {
  app.add_subcommand("man", "Print the manual page, in roff")->callback([&app, &chosen] {
    chosen = [&app] {
      std::fputs(manual_page(command_tree(app), "mpsbench " + schema::tool_info().version).c_str(), stdout);
      return base::ExitCode::ok;
    };
  });
}

}  // namespace mpsbench::cli
