// The manual page, made from the same objects as --help.
#pragma once

#include "base/error.hpp"
#include "cli/shell/command_tree.hpp"

#include <functional>
#include <string>

namespace mpsbench::cli {

// Adds a command that prints the page. APP is the whole program.
void add_man_command(CLI::App& app, std::function<base::ExitCode()>& chosen);

// Returns the page in roff, with the macros of man. VERSION is like "mpsbench 0.1.0".
[[nodiscard]] std::string manual_page(const Command& program, const std::string& version);

}  // namespace mpsbench::cli
