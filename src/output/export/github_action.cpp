#include "output/export/github_action.hpp"

#include "base/json_file.hpp"
#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/measured.hpp"
#include "output/text/text.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;

constexpr double kMillisecondsPerSecond = 1e3;

// Returns the text that a chart shows when the mouse is over a point.
std::string extra(const schema::CaseResult& result) {
  std::string text = "launches: " + std::to_string(timed_launches(result).size());
  if (const auto& rate = result.metrics.rows_per_second.value) text += "\nrows/s: " + format_rate(*rate);
  const std::string remark = printable(remarks(result));
  return remark.empty() ? text : text + "\n" + remark;
}

}  // namespace

std::string to_github_action(const schema::Report& report) {
  ordered_json entries = ordered_json::array();
  for (const schema::CaseResult& result : report.cases) {
    if (!has_figures(result)) continue;
    const schema::TimeMetrics& step = result.metrics.step_seconds;
    const double median = step.median.value();
    ordered_json entry{
        {"name", printable(result.id)}, {"unit", "ms"}, {"value", median * kMillisecondsPerSecond}};
    if (step.ci95 && median > 0) entry["range"] = interval_text(median, step.ci95);
    entry["extra"] = extra(result);
    entries.push_back(std::move(entry));
  }
  return base::to_text(entries, 1) + "\n";
}

}  // namespace mpsbench::output
