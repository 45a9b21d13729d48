// Plans how a run uses its time limit.
#pragma once

#include "run/plan/more_launches.hpp"
#include "run/plan/request.hpp"
#include "schema/report.hpp"
#include "schema/run_info.hpp"
#include "suite/plan_cases.hpp"

#include <optional>
#include <string>

namespace mpsbench::run {

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

// Makes launches so short that each case that can run here can have its first ones within the limit. Their
// longest time is fixed before anything runs, so that all launches of a case stop by the same rules and are
// equal draws.
void shorten_launches(suite::PlannedCases& plan, const suite::Host& host, double limit_seconds);

// Adds launches to RECORD, whose cases have their first ones, for the SECONDS that are left. Cases with a
// launch that failed get none.
AddedLaunches fill_time(schema::RunRecord& record, double seconds);

// Says what fill_time() has done. Empty if no case could get another launch.
[[nodiscard]] std::string fill_words(const schema::RunRecord& record, const AddedLaunches& added);

}  // namespace mpsbench::run
