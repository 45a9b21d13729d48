// Adds the launches to a run's plan that its verdicts need.
#pragma once

#include "report/compare/required_launches.hpp"
#include "schema/report.hpp"

#include <set>
#include <string>

namespace mpsbench::run {

struct AddedLaunches {
  std::set<std::string> cases;
  double seconds = 0;
  bool is_cut_short = false;  // the budget was too small
};

// Adds one launch at a time to each case of RECORD that has fewer launches than PLAN says, as long as the
// budget lasts. Estimates the time from the launches so far.
AddedLaunches add_launches(schema::RunRecord& record, const report::RequiredLaunches& plan,
                           double budget_seconds);

}  // namespace mpsbench::run
