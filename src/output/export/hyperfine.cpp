#include "output/export/hyperfine.hpp"

#include "base/json_file.hpp"
#include "output/text/measured.hpp"
#include "output/text/text.hpp"
#include "schema/optional_json.hpp"
#include "stats/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;

ordered_json entry(const schema::CaseResult& result) {
  const std::vector<const schema::Launch*> launches = timed_launches(result);
  const std::vector<double> steps = median_steps(launches);
  ordered_json command{{"command", printable(result.id)},
                       {"mean", stats::mean_of(steps)},
                       {"stddev", schema::or_null(stats::stddev(steps))},
                       {"median", stats::median_of(steps)},
                       {"user", 0.0},
                       {"system", 0.0},
                       {"min", *std::min_element(steps.begin(), steps.end())},
                       {"max", *std::max_element(steps.begin(), steps.end())},
                       {"times", steps}};
  std::vector<std::int64_t> peaks;
  for (const schema::Launch* launch : launches) {
    if (launch->peak_resident_bytes) peaks.push_back(*launch->peak_resident_bytes);
  }
  if (peaks.size() == launches.size()) command["memory_usage_byte"] = peaks;
  command["exit_codes"] = std::vector<int>(launches.size(), 0);
  command["parameters"] = {{"batch_size", std::to_string(result.spec.batch_size)}};
  return command;
}

}  // namespace

std::string to_hyperfine(const schema::Report& report) {
  ordered_json results = ordered_json::array();
  for (const schema::CaseResult& result : report.cases) {
    if (has_figures(result)) results.push_back(entry(result));
  }
  return base::to_text(ordered_json{{"results", std::move(results)}}, 1) + "\n";
}

}  // namespace mpsbench::output
