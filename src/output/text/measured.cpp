#include "output/text/measured.hpp"

#include "stats/summary.hpp"

namespace mpsbench::output {

std::vector<const schema::Launch*> timed_launches(const schema::CaseResult& result) {
  std::vector<const schema::Launch*> timed;
  for (const schema::Launch& launch : result.launches) {
    if (launch.status == schema::Status::ok && !launch.samples_seconds.empty()) timed.push_back(&launch);
  }
  return timed;
}

std::vector<double> median_steps(const std::vector<const schema::Launch*>& launches) {
  std::vector<double> seconds;
  for (const schema::Launch* launch : launches) seconds.push_back(stats::median_of(launch->samples_seconds));
  return seconds;
}

bool has_figures(const schema::CaseResult& result) {
  return result.metrics.step_seconds.median && !timed_launches(result).empty();
}

}  // namespace mpsbench::output
