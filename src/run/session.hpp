// Runs the missing launches of a run and writes its reports.
#pragma once

#include "base/error.hpp"
#include "run/view.hpp"
#include "schema/report.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/run_launches.hpp"

#include <optional>
#include <vector>

namespace mpsbench::run {

// The reports of a session, one for each run, and the exit code so far.
struct SessionOutcome {
  std::vector<schema::Report> reports;
  base::ExitCode code = base::ExitCode::ok;
};

// When a run with this limit that starts now ends, by the steady clock.
[[nodiscard]] std::optional<double> steady_end(std::optional<double> time_limit_seconds);

class Session {
 public:
  // RUNS has at least one run. Its records must outlive this session. REPORTS_LOSSES says whether workers
  // report each loss. From ENDS_AT on, by the steady clock, no launch starts.
  Session(std::vector<supervise::JournaledRun> runs, bool reports_losses, std::optional<double> ends_at = {});

  // Returns the runs' records, in the order of the runs.
  [[nodiscard]] std::vector<schema::RunRecord*> records() const;

  // Runs the launches that the records lack.
  supervise::RunEnd run_launches(View& view);
  // Call this after adding launches to the records' plans. Writes the plans to the journals and runs the
  // launches.
  supervise::RunEnd run_added_launches(View& view);

  // Writes the report of each run and shows the first. Call once.
  [[nodiscard]] SessionOutcome finish(View& view);

 private:
  [[nodiscard]] schema::LaunchRequest request_of(const schema::RunRecord& record,
                                                 const schema::PlannedCase& planned) const;
  void name_left_out() const;
  [[nodiscard]] schema::Report finished_report(schema::RunRecord& record) const;

  std::vector<supervise::JournaledRun> runs_;
  bool reports_losses_;
  std::optional<double> ends_at_;
  std::optional<supervise::Interrupt> interrupt_;  // while launches may run
  supervise::RunEnd end_ = supervise::RunEnd::complete;
};

}  // namespace mpsbench::run
