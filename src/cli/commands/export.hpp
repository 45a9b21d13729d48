// `mpsbench export REPORT... --format F`: reports for other programs.
#pragma once

#include "base/error.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct ExportOptions {
  std::vector<std::string> files;
  std::string format;
  std::string output = "-";
};

CLI::App* add_export_command(CLI::App& app, ExportOptions& options);
// Throws Error(usage) for a file that is no report or a place that cannot be written, Error(incomplete).
[[nodiscard]] base::ExitCode run_export(const ExportOptions& options);

}  // namespace mpsbench::cli
