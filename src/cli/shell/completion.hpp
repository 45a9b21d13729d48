// Scripts with which a shell completes the words of a command line.
#pragma once

#include "base/error.hpp"
#include "cli/shell/command_tree.hpp"

#include <string>

namespace mpsbench::cli {

struct CompletionOptions {
  std::string shell;  // "bash", "zsh", "fish"
};

CLI::App* add_completion_command(CLI::App& app, CompletionOptions& options);
// APP: the whole program.
base::ExitCode run_completion(CLI::App& app, const CompletionOptions& options);

// PROGRAM: the tree's root. Each is a script to be sourced, or kept where the shell looks for such.
[[nodiscard]] std::string bash_completion(const Command& program);
[[nodiscard]] std::string zsh_completion(const Command& program);
[[nodiscard]] std::string fish_completion(const Command& program);

}  // namespace mpsbench::cli
