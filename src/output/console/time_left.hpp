// Estimates how long a run still takes, from the launches so far and the plan's budgets.
#pragma once

#include "schema/launch.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

class TimeLeft {
 public:
  explicit TimeLeft(const std::vector<schema::PlannedCase>& plan);

  // Each launch of CASE_ID is expected to measure for SECONDS, which are an estimate, until the first has
  // ended.
  void expect(const std::string& case_id, double seconds);

  // Call this when a launch of CASE_ID has ended. The wall time of a good launch predicts that of the case's
  // others; a failed launch predicts nothing.
  void finished(const std::string& case_id, const schema::Launch& launch);

  // Returns the seconds for all unfinished launches, minus the RUNNING_SECONDS of the launch of CASE_ID that
  // is running now. CASE_ID is empty if none is.
  [[nodiscard]] double seconds(const std::string& case_id, double running_seconds) const;
  // Whether seconds() contains estimates given to expect().
  [[nodiscard]] bool is_rough() const;

 private:
  struct CaseTime {
    double budget_seconds = 0;
    std::optional<double> estimated_seconds;
    double cooldown_seconds = 0;
    bool counted_work = false;
    std::int64_t left = 0;
    std::int64_t good = 0;
    double good_seconds = 0;
  };
  // Returns the expected seconds for one launch, including its cool-down.
  [[nodiscard]] double expected(const CaseTime& entry) const;

  std::map<std::string, CaseTime> cases_;
  // Sums over all good launches: set-up, time after set-up, and budget for the time after set-up.
  double setup_seconds_ = 0;
  double used_seconds_ = 0;
  double offered_seconds_ = 0;
  std::int64_t good_ = 0;
};

}  // namespace mpsbench::output
