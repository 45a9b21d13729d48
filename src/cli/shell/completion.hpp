// Completion scripts for shells.
#pragma once

#include "base/error.hpp"
#include "cli/shell/command_tree.hpp"

#include <string>

namespace mpsbench::cli {

struct CompletionOptions {
  std::string shell;  // "bash", "zsh", "fish"
};

CLI::App* add_completion_command(CLI::App& app, CompletionOptions& options);
// APP is the whole program.
base::ExitCode run_completion(CLI::App& app, const CompletionOptions& options);

// PROGRAM is the root of the tree. The user sources the script, or puts it where the shell looks for
// completions.
[[nodiscard]] std::string bash_completion(const Command& program);
[[nodiscard]] std::string zsh_completion(const Command& program);
[[nodiscard]] std::string fish_completion(const Command& program);

}  // namespace mpsbench::cli
