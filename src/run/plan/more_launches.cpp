#include "run/plan/more_launches.hpp"

#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace mpsbench::run {

namespace {

// Estimates the seconds of another launch of PLANNED: the mean of its launches so far, without those that
// also compared results with a reference, unless all did.
double launch_seconds(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const std::vector<schema::Launch>& launches = record.launches.at(planned.id);
  std::vector<double> seconds;
  for (const schema::Launch& launch : launches) {
    if (launch.agreement.empty()) seconds.push_back(launch.wall_seconds);
  }
  if (seconds.empty()) {
    for (const schema::Launch& launch : launches) seconds.push_back(launch.wall_seconds);
  }
  return planned.cooldown_seconds + stats::mean_of(seconds);
}

// Half the width of the interval of a case with so many launches, at least two, in standard deviations of a
// launch.
double half_width(std::int64_t launches) {
  const auto count = static_cast<double>(launches);
  return stats::student_factor(count - 1, stats::kConfidence) / std::sqrt(count);
}

// By how much another launch narrows that interval.
double narrowing(std::int64_t launches) {
  if (launches < 2) return std::numeric_limits<double>::infinity();
  return half_width(launches) - half_width(launches + 1);
}

std::int64_t disturbed_launches(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  return std::ranges::count_if(record.launches.at(planned.id),
                               [](const schema::Launch& one) { return one.disturbed.has_value(); });
}

// A case that may get more launches.
struct Candidate {
  schema::PlannedCase* planned = nullptr;
  std::int64_t wanted = 0;     // launches in total
  std::int64_t disturbed = 0;  // of those so far
  double launch_seconds = 0;   // of one launch
  std::int64_t added = 0;
  double claim = 0;  // the next launch is for the case with the largest claim
};

double claim_of(const Candidate& one, Sharing sharing) {
  return sharing == Sharing::in_turns ? -static_cast<double>(one.added)
                                      : narrowing(one.planned->repeats - one.disturbed) / one.launch_seconds;
}

std::vector<Candidate> candidates_of(schema::RunRecord& record, const report::RequiredLaunches& plan, Sharing sharing) {
  std::vector<Candidate> candidates;
  for (schema::PlannedCase& planned : record.run.planned) {
    const auto wanted = plan.find(planned.id);
    if (wanted == plan.end() || planned.repeats >= wanted->second) continue;
    Candidate& one = candidates.emplace_back();
    one.planned = &planned;
    one.wanted = wanted->second;
    one.disturbed = disturbed_launches(record, planned);
    one.launch_seconds = launch_seconds(record, planned);
    one.claim = claim_of(one, sharing);
  }
  return candidates;
}

}  // namespace

bool can_have_more(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const auto launches = record.launches.find(planned.id);
  return launches != record.launches.end() && !launches->second.empty() &&
         std::ranges::all_of(launches->second,
                             [](const schema::Launch& one) { return one.status == schema::Status::ok; });
}

report::RequiredLaunches repeats_of_disturbed(const schema::RunRecord& record) {
  report::RequiredLaunches wanted;
  if (!record.run.repeats_disturbed) return wanted;
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (!can_have_more(record, planned)) continue;
    const std::int64_t most = planned.repeats - planned.repeated;
    const std::int64_t open = std::min(disturbed_launches(record, planned), most) - planned.repeated;
    if (open > 0) wanted[planned.id] = planned.repeats + open;
  }
  return wanted;
}

AddedLaunches add_launches(schema::RunRecord& record, const report::RequiredLaunches& plan, double budget_seconds,
                           Sharing sharing) {
  AddedLaunches added;
  std::vector<Candidate> candidates = candidates_of(record, plan, sharing);
  while (!candidates.empty()) {
    const auto next = std::ranges::max_element(candidates, {}, &Candidate::claim);
    schema::PlannedCase& planned = *next->planned;
    const bool fits = added.seconds + next->launch_seconds <= budget_seconds;
    if (fits) {
      ++planned.repeats;
      ++next->added;
      next->claim = claim_of(*next, sharing);
      added.seconds += next->launch_seconds;
      added.cases.insert(planned.id);
    }
    added.is_cut_short = added.is_cut_short || !fits;
    if (!fits || planned.repeats == next->wanted) candidates.erase(next);
  }
  return added;
}

}  // namespace mpsbench::run
