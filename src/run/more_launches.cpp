#include "run/more_launches.hpp"

#include <vector>

namespace mpsbench::run {
namespace {

// Estimates the seconds of another launch of PLANNED: the mean of its launches so far.
double launch_seconds(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const std::vector<schema::Launch>& launches = record.launches.at(planned.id);
  double seconds = 0;
  for (const schema::Launch& launch : launches) seconds += launch.wall_seconds;
  return planned.cooldown_seconds + seconds / static_cast<double>(launches.size());
}

}  // namespace

AddedLaunches add_launches(schema::RunRecord& record, const report::RequiredLaunches& plan,
                           double budget_seconds) {
  AddedLaunches added;
  for (bool more = true; more;) {
    more = false;
    for (schema::PlannedCase& planned : record.run.planned) {
      const auto wanted = plan.find(planned.id);
      if (wanted == plan.end() || planned.repeats >= wanted->second) continue;
      const double seconds = launch_seconds(record, planned);
      if (added.seconds + seconds > budget_seconds) {
        added.is_cut_short = true;
        continue;
      }
      ++planned.repeats;
      added.seconds += seconds;
      added.cases.insert(planned.id);
      more = true;
    }
  }
  return added;
}

}  // namespace mpsbench::run
