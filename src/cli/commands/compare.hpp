// `mpsbench compare REPORT REPORT...` shows what changed on one machine, or machines and devices side by
// side.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct CompareOptions {
  std::vector<std::string> files;
  std::optional<std::string> gate_on, threshold, alpha, filter;  // as the user wrote them
  bool fail_on_regression = false;
  bool fail_on_undecided = false;
  bool force = false;
  OutputChoice output;
  std::string color = "auto";
};

CLI::App* add_compare_command(CLI::App& app, CompareOptions& options);
// Throws Error(usage) if a file or option is wrong, and Error(not_comparable).
[[nodiscard]] base::ExitCode run_compare(const CompareOptions& options);

}  // namespace mpsbench::cli
