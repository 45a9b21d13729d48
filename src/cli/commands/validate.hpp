// `mpsbench validate FILE...`: a model, suite, report or journal against its schema, without LibTorch.
#pragma once

#include "base/error.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct ValidateOptions {
  std::vector<std::string> files;
};

CLI::App* add_validate_command(CLI::App& app, ValidateOptions& options);
[[nodiscard]] base::ExitCode run_validate(const ValidateOptions& options);

// What FILE is, in words: "model vgg16, 138,357,544 parameters". Throws Error(usage).
[[nodiscard]] std::string validate_file(const std::string& file);

}  // namespace mpsbench::cli
