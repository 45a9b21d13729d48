#include "output/export/comparison_export.hpp"

#include "base/json_file.hpp"
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

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json seconds_of(const ComparedCase* result) {
  return result != nullptr ? or_null(result->step_seconds) : ordered_json(nullptr);
}

std::size_t launches_of(const ComparedCase* result) {
  return result != nullptr ? result->launches.size() : 0;
}

// Returns the fields of one case in both formats.
ordered_json case_fields(const CaseComparison& pair) {
  const std::optional<Ratio>& ratio = pair.ratio;
  const auto bound = [&](double Ratio::* member) {
    return ratio ? ordered_json((*ratio).*member) : ordered_json(nullptr);
  };
  return {{"id", pair.id},
          {"before_step_seconds", seconds_of(pair.before)},
          {"after_step_seconds", seconds_of(pair.after)},
          {"before_launches", launches_of(pair.before)},
          {"after_launches", launches_of(pair.after)},
          {"ratio", bound(&Ratio::value)},
          {"ratio_low", bound(&Ratio::low)},
          {"ratio_high", bound(&Ratio::high)},
          {"adjusted_p", or_null(pair.adjusted_p)},
          {"threshold", pair.threshold},
          {"machine_spread", or_null(pair.machine_spread)},
          {"verdict", to_string(pair.verdict)},
          {"launches_needed", or_null(pair.launches_needed)},
          {"reason", pair.reason}};
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
