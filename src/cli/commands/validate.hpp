// `mpsbench validate FILE...` checks models, suites, reports and journals. It does not need LibTorch.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct ValidateOptions {
  std::vector<std::string> files;
  OutputChoice output;
};

CLI::App* add_validate_command(CLI::App& app, ValidateOptions& options);
[[nodiscard]] base::ExitCode run_validate(const ValidateOptions& options);

// Describes FILE: "model vgg16, 138,357,544 parameters". Throws Error(usage) if it is not valid.
[[nodiscard]] std::string validate_file(const std::string& file);

}  // namespace mpsbench::cli
