// Runs the missing launches of a run and writes its reports; and the interface of what a run does.
#pragma once

#include "base/error.hpp"
#include "base/interface.hpp"
#include "run/packages/packages.hpp"
#include "run/plan/run_event.hpp"
#include "schema/report.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/run_launches.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace mpsbench::run {

// Makes a new journal for each of RUNS; if one cannot be made, none is left. The first is next to REPORT. If the user
// did not name REPORT (IS_NAMED), runs that begin in the same second take REPORT, REPORT-2, ... Throws Error(usage).
[[nodiscard]] std::vector<supervise::JournaledRun> open_journals(const std::filesystem::path& report, bool is_named,
                                                                 const std::vector<supervise::WorkerRun>& runs);

// The reports of a session, one for each run, and the exit code so far.
struct SessionOutcome {
  std::vector<schema::Report> reports;
  base::ExitCode code = base::ExitCode::ok;
};

struct TimeEnd {
  double limit_seconds = 0;
  double ends_at = 0;  // by the steady clock
};

[[nodiscard]] std::optional<TimeEnd> time_end(std::optional<double> limit_seconds);

class Session {
 public:
  // RUNS has at least one run. Its records must outlive this session. REPORTS_LOSSES says whether workers
  // report each loss. No launch starts after END.
  Session(std::vector<supervise::JournaledRun> runs, RunSink show, bool reports_losses = false,
          std::optional<TimeEnd> end = {});

  void show(const RunEvent& event) const { show_(event); }

  [[nodiscard]] std::vector<schema::RunRecord*> records() const;

  // Runs the launches that the records lack, and repeats disturbed ones.
  supervise::RunEnd run_launches();
  // The same for a run that then adds launches until its time limit, which is shown as its end.
  supervise::RunEnd run_first_launches();
  // Call this after adding launches to the records' plans. Writes the plans to the journals and runs the launches.
  supervise::RunEnd run_added_launches();
  // The same for launches that the run can do without: the limit takes those that are left out of the plan.
  // Repeats none.
  supervise::RunEnd run_spare_launches();
  // Repeats disturbed launches as long as the time limit allows, unless the number of launches is fixed.
  supervise::RunEnd repeat_disturbed();
  // Call this after the time limit. If each case has at least LEAST launches, takes those that were left out
  // of the plan, so that the run is complete.
  void settle_for_launches(std::int64_t least);

  // The time until the limit, which must be set.
  [[nodiscard]] double seconds_left() const;

  // Writes the report of each run and shows the first. Call once.
  [[nodiscard]] SessionOutcome finish();

 private:
  [[nodiscard]] schema::LaunchRequest request_of(const schema::RunRecord& record,
                                                 const schema::PlannedCase& planned) const;
  supervise::RunEnd launch(std::optional<double> goes_on_until);
  supervise::RunEnd launch_added();
  void take_missing_out_of_plans();
  [[nodiscard]] std::optional<schema::Launch> add_package(schema::LaunchRequest& request,
                                                          const schema::RunRecord& record,
                                                          const schema::PlannedCase& planned);
  // Makes the packages that the missing launches need. A case without one gets failed launches.
  void make_packages();
  [[nodiscard]] std::optional<double> ends_at() const;
  void name_left_out() const;

  std::vector<supervise::JournaledRun> runs_;
  RunSink show_;
  bool reports_losses_;
  std::optional<TimeEnd> time_end_;
  Packages packages_;
  std::optional<supervise::Interrupt> interrupt_;  // while launches may run
  supervise::RunEnd end_ = supervise::RunEnd::complete;
};

// What a run does, from its plan to its exit code. Each purpose has its class.
class Task : public base::Interface {
 public:
  // Changes RECORD as the purpose requires. Called for a new run, when its plan is complete and nothing has
  // run. Throws Error to refuse the plan.
  virtual void prepare(schema::RunRecord& record) = 0;
  // Runs the launches that SESSION lacks and writes its reports. Unless the run was cut short, then compares
  // or calibrates, as the purpose requires.
  [[nodiscard]] virtual base::ExitCode run(Session& session) = 0;
};

}  // namespace mpsbench::run
