// What a new run will do, before anything runs.
#pragma once

#include "base/error.hpp"
#include "run/plan/accelerators.hpp"
#include "run/plan/options.hpp"
#include "run/plan/request.hpp"
#include "schema/report.hpp"
#include "suite/catalog.hpp"
#include "suite/plan_cases.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace mpsbench::run {

// Limits the size of a plan.

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

}  // namespace mpsbench::run
