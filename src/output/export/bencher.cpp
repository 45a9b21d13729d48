#include "output/export/bencher.hpp"

#include "base/json_file.hpp"
#include "base/units.hpp"
#include "output/text/measured.hpp"
#include "output/text/text.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;

// Returns VALUE and INTERVAL, multiplied by FACTOR to convert the unit.
ordered_json measure(double value, const std::optional<schema::Interval>& interval, double factor) {
  ordered_json measure{{"value", value * factor}};
  if (interval) {
    measure["lower_value"] = interval->low * factor;
    measure["upper_value"] = interval->high * factor;
  }
  return measure;
}

}  // namespace

std::string to_bencher(const schema::Report& report) {
  ordered_json document = ordered_json::object();
  for (const schema::CaseResult& result : report.cases) {
    if (!has_figures(result)) continue;
    const schema::TimeMetrics& step = result.metrics.step_seconds;
    const schema::RateMetric& rate = result.metrics.rows_per_second;
    ordered_json& measures = document[printable(result.id)];
    measures["latency"] = measure(step.median.value(), step.ci95, base::kNanosecondsPerSecond);
    if (rate.value) measures["throughput"] = measure(*rate.value, rate.ci95, 1);
  }
  return base::to_text(document, 1) + "\n";
}

}  // namespace mpsbench::output
