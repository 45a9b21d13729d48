// `mpsbench export REPORT... -f FORMAT` writes reports in the formats of other programs.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct ExportOptions {
  std::vector<std::string> files;
  OutputChoice output;
};

CLI::App* add_export_command(CLI::App& app, ExportOptions& options);
// Throws Error(usage) if a file is not a report or the output cannot be written, and Error(incomplete).
[[nodiscard]] base::ExitCode run_export(const ExportOptions& options);

}  // namespace mpsbench::cli
