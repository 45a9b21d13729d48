#include "report/metrics/loop_metrics.hpp"

#include "stats/summary.hpp"

namespace mpsbench::report {

void set_loop(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
              schema::Metrics& metrics, Notes& notes) {
  std::vector<double> seconds;
  for (const schema::Launch* launch : good) {
    if (launch->loop_seconds) seconds.push_back(*launch->loop_seconds);
  }
  metrics.loop_seconds = stats::median(seconds);
  if (metrics.loop_seconds) return;
  notes["metrics.loop_seconds"] =
      spec.iterations ? "no launch succeeded" : "a loop is timed only with --iterations";
}

}  // namespace mpsbench::report
