// Runs the missing launches of a run and writes its reports.
#pragma once

#include "base/error.hpp"
#include "run/packages/packages.hpp"
#include "run/plan/view.hpp"
#include "schema/report.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/run_launches.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpsbench::run {

// The reports of a session, one for each run, and the exit code so far.
struct SessionOutcome {
  std::vector<schema::Report> reports;
  base::ExitCode code = base::ExitCode::ok;
};

struct TimeEnd {
  double limit_seconds = 0;
  double ends_at = 0;  // by the steady clock
};

// Returns the end of a run with this limit that starts now.
[[nodiscard]] std::optional<TimeEnd> time_end(std::optional<double> limit_seconds);

class Session {
 public:
  // RUNS has at least one run. Its records must outlive this session. REPORTS_LOSSES says whether workers
  // report each loss. No launch starts after END.
  Session(std::vector<supervise::JournaledRun> runs, bool reports_losses, std::optional<TimeEnd> end = {});

  // Returns the runs' records, in the order of the runs.
  [[nodiscard]] std::vector<schema::RunRecord*> records() const;

  // Runs the launches that the records lack, and repeats disturbed ones.
  supervise::RunEnd run_launches(View& view);
  // The same for a run that then adds launches until its time limit, which the view shows as its end.
  supervise::RunEnd run_first_launches(View& view);
  // Call this after adding launches to the records' plans. Writes the plans to the journals and runs the
  // launches.
  supervise::RunEnd run_added_launches(View& view);
  // The same for launches that the run can do without: the limit takes those that are left out of the plan.
  // Repeats none.
  supervise::RunEnd run_spare_launches(View& view);
  // Repeats disturbed launches as long as the time limit allows, unless the number of launches is fixed.
  supervise::RunEnd repeat_disturbed(View& view);
  // Call this after the time limit. If each case has at least LEAST launches, takes those that were left out
  // of the plan, so that the run is complete.
  void settle_for_launches(std::int64_t least);

  // The time until the limit, which must be set.
  [[nodiscard]] double seconds_left() const;

  // Writes the report of each run and shows the first. Call once.
  [[nodiscard]] SessionOutcome finish(View& view);

 private:
  [[nodiscard]] schema::LaunchRequest request_of(const schema::RunRecord& record,
                                                 const schema::PlannedCase& planned) const;
  supervise::RunEnd launch(View& view, std::optional<double> goes_on_until);
  supervise::RunEnd launch_added(View& view);
  void take_missing_out_of_plans();
  [[nodiscard]] std::optional<schema::Launch> add_package(schema::LaunchRequest& request,
                                                          const schema::RunRecord& record,
                                                          const schema::PlannedCase& planned, View& view);
  // Makes the packages that the missing launches need. A case without one gets failed launches.
  void make_packages(View& view);
  void make_package(supervise::JournaledRun& one, const schema::PlannedCase& planned,
                    const std::vector<std::int64_t>& missing, View& view);
  [[nodiscard]] std::optional<double> ends_at() const;
  void name_left_out() const;
  [[nodiscard]] schema::Report finished_report(schema::RunRecord& record) const;

  std::vector<supervise::JournaledRun> runs_;
  bool reports_losses_;
  std::optional<TimeEnd> time_end_;
  Packages packages_;
  std::optional<supervise::Interrupt> interrupt_;  // while launches may run
  supervise::RunEnd end_ = supervise::RunEnd::complete;
};

}  // namespace mpsbench::run
