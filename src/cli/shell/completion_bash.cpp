#include "cli/shell/completion.hpp"
#include "cli/shell/shell_words.hpp"

namespace mpsbench::cli {
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

}  // namespace mpsbench::cli
