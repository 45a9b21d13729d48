// `mpsbench ops`: becomes mpsbench-ops, with the words that follow.
#pragma once

#include "base/error.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

CLI::App* add_ops_command(CLI::App& app);
// Does not return unless the program cannot be started: throws Error(usage).
[[nodiscard]] base::ExitCode run_ops(const std::vector<std::string>& words);

}  // namespace mpsbench::cli
