#include "output/text/measured.hpp"

#include "report/metrics/counted_launches.hpp"
#include "stats/summary.hpp"

namespace mpsbench::output {

std::vector<const schema::Launch*> timed_launches(const schema::CaseResult& result) {
  std::vector<const schema::Launch*> timed;
  for (const schema::Launch* launch : report::counted_launches(result.launches)) {
    if (!launch->samples_seconds.empty()) timed.push_back(launch);
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
