// How long a run still takes, from the launches done so far and the plan's budgets.
#pragma once

#include "schema/launch.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mpsbench::output {

class TimeLeft {
 public:
  explicit TimeLeft(const std::vector<schema::PlannedCase>& plan);

  // A launch of CASE_ID ended. The wall time of a good one stands for the case's others; a failed one says
  // nothing.
  void finished(const std::string& case_id, const schema::Launch& launch);

  // Seconds for all launches not finished, less RUNNING_SECONDS of the one of CASE_ID under way (empty: none
  // is).
  [[nodiscard]] double seconds(const std::string& case_id, double running_seconds) const;

 private:
  struct CaseTime {
    double budget_seconds = 0;
    double cooldown_seconds = 0;
    bool counted_work = false;
    std::int64_t left = 0;
    std::int64_t good = 0;
    double good_seconds = 0;
  };
  // Of one launch, cool-down included.
  [[nodiscard]] double expected(const CaseTime& entry) const;

  std::map<std::string, CaseTime> cases_;
  // Over all good launches: set-up, time after set-up, and the budgets they had for the latter.
  double setup_seconds_ = 0;
  double used_seconds_ = 0;
  double offered_seconds_ = 0;
  std::int64_t good_ = 0;
};

}  // namespace mpsbench::output
