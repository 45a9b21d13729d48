#include "output/export/comparison_export.hpp"

#include "base/json_file.hpp"
#include "output/console/verdict_words.hpp"
#include "output/text/quoting.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;
using report::CaseComparison;
using report::ComparedCase;
using report::ComparedReport;
using report::Comparison;
using report::Ratio;
using schema::GatedMetric;

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json value_of(const ComparedCase* result, schema::GatedMetric metric) {
  return result != nullptr ? or_null(result->value(metric)) : ordered_json(nullptr);
}

std::size_t launches_of(const ComparedCase* result) {
  return result != nullptr ? result->launches.size() : 0;
}

// Returns the fields of one case and metric in both formats. The verdict is "slower" or "faster" for all
// metrics.
ordered_json case_fields(const CaseComparison& pair) {
  const std::optional<Ratio>& ratio = pair.ratio;
  const auto ratio_or_null = [&](double Ratio::* member) {
    return ratio ? ordered_json((*ratio).*member) : ordered_json(nullptr);
  };
  return {{"id", pair.id},
          {"before_step_seconds", value_of(pair.before, GatedMetric::step)},
          {"after_step_seconds", value_of(pair.after, GatedMetric::step)},
          {"before_launches", launches_of(pair.before)},
          {"after_launches", launches_of(pair.after)},
          {"ratio", ratio_or_null(&Ratio::value)},
          {"ratio_low", ratio_or_null(&Ratio::low)},
          {"ratio_high", ratio_or_null(&Ratio::high)},
          {"adjusted_p", or_null(pair.adjusted_p)},
          {"threshold", pair.threshold},
          {"machine_spread", or_null(pair.machine_spread)},
          {"verdict", to_string(pair.verdict)},
          {"launches_needed", or_null(pair.launches_needed)},
          {"reason", pair.reason},
          {"metric", to_string(pair.metric)},
          {"before_value", value_of(pair.before, pair.metric)},
          {"after_value", value_of(pair.after, pair.metric)},
          {"standing", standing(pair)},
          {"within_launch_ratio", or_null(pair.within_launch_ratio)}};
}

ordered_json side(const ComparedReport& report) {
  return {{"file", report.file},
          {"run_id", report.run_id},
          {"started_at", report.started_at},
          {"host", report.host.name}};
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  std::vector<ordered_json> rows;
  for (const CaseComparison& pair : comparison.cases) rows.push_back(case_fields(pair));
  return csv_of(rows);
}

std::string comparison_json(const Comparison& comparison, const std::vector<std::string>& caveats) {
  ordered_json cases = ordered_json::array();
  for (const CaseComparison& pair : comparison.cases) cases.push_back(case_fields(pair));
  ordered_json mean(nullptr);
  if (comparison.mean)
    mean = {{"ratio", comparison.mean->value},
            {"ratio_low", comparison.mean->low},
            {"ratio_high", comparison.mean->high}};
  const ordered_json document{{"view", "gate"},
                              {"before", side(*comparison.before)},
                              {"after", side(*comparison.after)},
                              {"threshold", or_null(comparison.rules.threshold)},
                              {"alpha", comparison.rules.alpha},
                              {"caveats", caveats},
                              {"cases", std::move(cases)},
                              {"geometric_mean", std::move(mean)}};
  return base::to_text(document, 1) + "\n";
}

}  // namespace mpsbench::output
