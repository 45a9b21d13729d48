// `mpsbench list` shows models, suites, devices, data sets, formats and packages.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"

#include <string>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct ListOptions {
  std::string what;
  OutputChoice output;
};

CLI::App* add_list_command(CLI::App& app, ListOptions& options);
[[nodiscard]] base::ExitCode run_list(const ListOptions& options);

}  // namespace mpsbench::cli
