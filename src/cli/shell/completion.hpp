// Completion scripts for shells.
#pragma once

#include "base/error.hpp"
#include "cli/shell/command_tree.hpp"

#include <functional>
#include <string>

namespace mpsbench::cli {

// Adds a command that prints the script for a shell. APP is the whole program.
void add_completion_command(CLI::App& app, std::function<base::ExitCode()>& chosen);

// PROGRAM is the root of the tree. The user sources the script, or puts it where the shell looks for
// completions.
[[nodiscard]] std::string bash_completion(const Command& program);
[[nodiscard]] std::string zsh_completion(const Command& program);
[[nodiscard]] std::string fish_completion(const Command& program);

}  // namespace mpsbench::cli
