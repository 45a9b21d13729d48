#include "cli/shell/completion.hpp"

#include "cli/shell/only_names.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace mpsbench::cli {

CLI::App* add_completion_command(CLI::App& app, CompletionOptions& options) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  CLI::Option* shell = command->add_option("SHELL", options.shell, "bash, zsh or fish");
  take_only_names(*shell->required(), "shell", {"bash", "zsh", "fish"});
  return command;
}

base::ExitCode run_completion(CLI::App& app, const CompletionOptions& options) {
  const Command program = command_tree(app);
  const std::string text = options.shell == "bash"  ? bash_completion(program)
                           : options.shell == "zsh" ? zsh_completion(program)
                                                    : fish_completion(program);
  std::fputs(text.c_str(), stdout);
  return base::ExitCode::ok;
}

}  // namespace mpsbench::cli
