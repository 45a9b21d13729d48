// Launches added to a run's plan for its verdicts.
#pragma once

#include "report/compare/required_launches.hpp"
#include "schema/report.hpp"

#include <set>
#include <string>

namespace mpsbench::run {

struct AddedLaunches {
  std::set<std::string> cases;
  double seconds = 0;
  bool is_cut_short = false;  // by the budget
};

// Adds a launch to every case of RECORD that has fewer than PLAN wants, again and again while the budget
// lasts, by what its launches have taken.
AddedLaunches add_launches(schema::RunRecord& record, const report::RequiredLaunches& plan,
                           double budget_seconds);

}  // namespace mpsbench::run
