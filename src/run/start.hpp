// A new run: from its plan to its exit code.
#pragma once

#include "base/error.hpp"
#include "run/options.hpp"
#include "run/run_plan.hpp"
#include "run/task.hpp"
#include "run/view.hpp"

namespace mpsbench::run {

// Proves that the report can be written before anything runs, the search for batches included, which starts
// workers of its own to fill the plan. Throws Error(usage), and Error(no_device) where nothing can run.
[[nodiscard]] base::ExitCode start_run(RunPlan& plan, Task& task, const Options& options, View& view);

}  // namespace mpsbench::run
