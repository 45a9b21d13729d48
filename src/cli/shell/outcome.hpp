// What a command leaves behind: its failure on stderr, all of stdout, and an exit code.
#pragma once

#include "base/error.hpp"

#include <functional>
#include <string>

namespace mpsbench::cli {

// Runs ACTION and writes out all of stdout. Returns ACTION's exit code, or a worse one if stdout could not be
// written. If ACTION throws, says so on stderr and returns the code of the error.
[[nodiscard]] base::ExitCode complete(const std::function<base::ExitCode()>& action);

// Says MESSAGE on stderr and returns CODE.
[[nodiscard]] base::ExitCode fail(base::ExitCode code, const std::string& message);

}  // namespace mpsbench::cli
