// `run --resume FILE`: goes on with a journal or a report.
#pragma once

#include "base/error.hpp"
#include "suite/settings.hpp"

namespace mpsbench::cli {

// Runs what is missing, crashed, timed out or was interrupted. Throws Error(usage) for a file that is
// neither or whose weights are gone, or of another machine, build or environment.
[[nodiscard]] base::ExitCode resume_run(const suite::Settings& settings);

}  // namespace mpsbench::cli
