// The launches of a run from the first that is missing to the reports on the disk.
#pragma once

#include "base/error.hpp"
#include "run/sides.hpp"
#include "run/view.hpp"
#include "schema/report.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/run_plan.hpp"

#include <optional>
#include <vector>

namespace mpsbench::run {

// What a session leaves: a report a side, and what it ends with so far.
struct Outcome {
  std::vector<schema::Report> reports;
  base::ExitCode code = base::ExitCode::ok;
};

class Session {
 public:
  // SIDES: one or more, and their records outlive it. REPORTS_LOSSES: workers tell each loss.
  Session(std::vector<Side> sides, bool reports_losses);

  // Those of the sides, in their order.
  [[nodiscard]] std::vector<schema::RunRecord*> records() const;

  // Runs what the records lack.
  supervise::RunEnd run_launches(View& view);
  // The records' plans have more launches now: notes them on the disk and runs them.
  supervise::RunEnd run_added_launches(View& view);

  // Leaves a report of each side and shows the first. Once.
  [[nodiscard]] Outcome finish(View& view);

 private:
  [[nodiscard]] schema::LaunchRequest request_of(const schema::RunRecord& record,
                                                 const schema::PlannedCase& planned) const;
  [[nodiscard]] schema::Report finished_report(schema::RunRecord& record) const;

  std::vector<Side> sides_;
  bool reports_losses_;
  std::optional<supervise::Interrupt> interrupt_;  // while launches may run
  supervise::RunEnd end_ = supervise::RunEnd::complete;
};

}  // namespace mpsbench::run
