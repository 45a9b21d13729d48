// Adds launches to a run's plan, such as those that its verdicts need.
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

// Whether the case may get launches that its run was not told to make: it has some, and all are good.
[[nodiscard]] bool can_have_more(const schema::RunRecord& record, const schema::PlannedCase& planned);

// Returns how many launches each case of RECORD would have in total if each disturbed one were repeated, but
// at most as many as were planned. Leaves out cases that have as many.
[[nodiscard]] report::RequiredLaunches repeats_of_disturbed(const schema::RunRecord& record);

// Which case gets the next launch.
enum class Sharing {
  in_turns,  // each case in turn
  // The case whose interval it narrows most for its time, if all cases have the same spread. So cases of
  // short launches get more of them.
  by_narrowing
};

// Adds launches to the cases of RECORD that have fewer than PLAN says, as long as the budget lasts. Estimates
// the time from the launches so far.
AddedLaunches add_launches(schema::RunRecord& record, const report::RequiredLaunches& plan, double budget_seconds,
                           Sharing sharing);

}  // namespace mpsbench::run
