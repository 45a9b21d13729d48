// `mpsbench compare REPORT REPORT...`: what changed on one machine, or how machines and devices stand beside
// each other.
#pragma once

#include "base/error.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct CompareOptions {
  std::vector<std::string> files;
  std::optional<std::string> threshold, alpha;  // as written
  bool fail_on_regression = false;
  bool fail_on_undecided = false;
  bool force = false;
  std::string format = "table";
  std::string color = "auto";
};

CLI::App* add_compare_command(CLI::App& app, CompareOptions& options);
// Throws Error(usage) for a file or option that is wrong, Error(not_comparable).
[[nodiscard]] base::ExitCode run_compare(const CompareOptions& options);

}  // namespace mpsbench::cli
