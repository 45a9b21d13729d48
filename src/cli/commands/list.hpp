// `mpsbench list`: models, suites, devices and data sets.
#pragma once

#include "base/error.hpp"

#include <string>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct ListOptions {
  std::string what;
  std::string format = "table";
};

CLI::App* add_list_command(CLI::App& app, ListOptions& options);
[[nodiscard]] base::ExitCode run_list(const ListOptions& options);

}  // namespace mpsbench::cli
