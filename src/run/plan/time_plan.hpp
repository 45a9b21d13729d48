// Plans how many launches a run's cases get, and how long they are: more launches where verdicts need them, or
// as long as there is time.
#pragma once

#include "report/compare/required_launches.hpp"
#include "run/plan/options.hpp"
#include "schema/report.hpp"
#include "schema/run_info.hpp"
#include "suite/plan_cases.hpp"

#include <optional>
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

// Adds launches to the cases of RECORD that have fewer than PLAN says, as long as the budget lasts: each to the
// case whose interval it narrows most for its time, if all cases have the same spread. Estimates the time from
// the launches so far.
AddedLaunches add_launches(schema::RunRecord& record, const report::RequiredLaunches& plan, double budget_seconds);

// Whether REQUEST says how many launches a case has.
[[nodiscard]] bool counts_launches(const RunRequest& request);

struct TimeLimit {
  std::optional<double> seconds;  // after this time, no launch starts
  bool plans_launches = false;    // the run fills it with launches
};

// Returns what --time-limit, or the key of the only suite, means for a run of this purpose. Launches are
// planned unless something else decides how many there are. The limit of a suite is for its plain runs. It is
// too short for what the command line adds to them.
[[nodiscard]] TimeLimit time_limit_of(const RunRequest& request, schema::Purpose purpose);

// Makes launches so short that each case that can run here can have its first ones within the limit. Their longest time
// is fixed before anything runs, so that all launches of a case stop by the same rules and are equal draws.
void shorten_launches(suite::PlannedCases& plan, const suite::Host& host, double limit_seconds);

// Adds launches to RECORD, whose cases have their first ones, for the SECONDS that are left. Cases with a
// launch that failed get none.
AddedLaunches fill_time(schema::RunRecord& record, double seconds);

// Says what fill_time() has done. Empty if no case could get another launch.
[[nodiscard]] std::string fill_words(const schema::RunRecord& record, const AddedLaunches& added);

}  // namespace mpsbench::run
