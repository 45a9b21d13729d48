// A new run: what it will do, and how it starts.
#pragma once

#include "base/error.hpp"
#include "run/plan/machine.hpp"
#include "run/plan/options.hpp"
#include "run/session/session.hpp"
#include "schema/report.hpp"
#include "suite/catalog.hpp"
#include "suite/plan_cases.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace mpsbench::supervise {
class LeadingFront;
}

namespace mpsbench::run {

// Throws Error(usage) if RECORD's plan has more launches than a run can handle.
void require_countable(const schema::RunRecord& record);

struct RunPlan {
  schema::RunRecord record;
  std::vector<suite::OpenCase> open;  // cases whose batch size is searched before the launches
  suite::Host host;                   // uses the accelerators
  bool has_default_threads = false;   // in at least one matrix
  std::optional<double> time_limit_seconds;
  std::unique_ptr<Accelerators> accelerators;
  std::filesystem::path report;

  // Whether no case can run here, and none will be added.
  [[nodiscard]] bool nothing_can_run() const;
  // The exit code of a run of this plan if nothing fails.
  [[nodiscard]] base::ExitCode best_exit_code() const;
};

// Throws Error(usage), for example if REQUEST has neither a suite nor a model, or if with --plain a device
// has anything but a single loop. Warns about devices that are not usable.
[[nodiscard]] RunPlan make_run_plan(const RunRequest& request, const Options& options, const suite::Catalog& catalog);

// Checks what start_run() checks before it starts anything, except that a case can run, and leaves no file.
// Throws Error(usage).
void check_start(const RunPlan& plan, const Options& options);

// Checks that the report and the files of --output can be written before it starts anything. This includes
// the search for batches, which also starts workers to complete the plan. Throws Error(usage), and
// Error(no_device) if nothing can run.
// LEAD is null unless a launcher has started other fronts.
[[nodiscard]] base::ExitCode start_run(RunPlan& plan, Task& task, const Options& options, const RunSink& show,
                                       supervise::LeadingFront* lead = nullptr);

}  // namespace mpsbench::run
