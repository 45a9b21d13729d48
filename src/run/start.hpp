// Runs a new run, from its plan to its exit code.
#pragma once

#include "base/error.hpp"
#include "run/plan/options.hpp"
#include "run/plan/view.hpp"
#include "run/run_plan.hpp"
#include "run/session/task.hpp"

namespace mpsbench::supervise {
class LeadingFront;
}

namespace mpsbench::run {

// Checks what start_run() checks before it starts anything, except that a case can run, and leaves no file.
// Throws Error(usage).
void check_start(const RunPlan& plan, const Options& options);

// Checks that the report and the files of --output can be written before it starts anything. This includes
// the search for batches, which also starts workers to complete the plan. Throws Error(usage), and
// Error(no_device) if nothing can run.
// LEAD is null unless a launcher has started other fronts.
[[nodiscard]] base::ExitCode start_run(RunPlan& plan, Task& task, const Options& options, View& view,
                                       supervise::LeadingFront* lead = nullptr);

}  // namespace mpsbench::run
