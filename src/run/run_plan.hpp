// What a new run is to do, before anything runs.
#pragma once

#include "base/error.hpp"
#include "run/accelerators.hpp"
#include "run/options.hpp"
#include "run/request.hpp"
#include "schema/report.hpp"
#include "suite/catalog.hpp"
#include "suite/plan_cases.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace mpsbench::run {

struct RunPlan {
  schema::RunRecord record;
  std::vector<suite::OpenCase> open;  // their batch is looked for before the launches
  suite::Host host;                   // asks the accelerators
  std::unique_ptr<Accelerators> accelerators;
  std::filesystem::path report;

  // Every case has been settled without a launch, since its device is not here, and none is still to be
  // added.
  [[nodiscard]] bool nothing_can_run() const;
  // What a run of this plan ends with at best.
  [[nodiscard]] base::ExitCode best_exit_code() const;
};

// Throws Error(usage), also for a REQUEST without a suite or model, and for --plain of what is no single loop
// a device. Warns of devices that are passed over.
[[nodiscard]] RunPlan make_run_plan(const Request& request, const Options& options,
                                    const suite::Catalog& catalog);

}  // namespace mpsbench::run
