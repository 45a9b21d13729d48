#include "base/json_file.hpp"
#include "output/console/comparison_table.hpp"
#include "output/export/exporters.hpp"
#include "output/text/cases.hpp"
#include "output/text/text.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace mpsbench::output {

namespace {

using nlohmann::ordered_json;
using report::CaseComparison;
using report::ComparedCase;
using report::ComparedReport;
using report::Comparison;
using report::Ratio;
using schema::GatedMetric;

using report::MachineColumn;
using report::MachineRow;
using report::MachineTable;
using report::Speed;
using report::SpeedUp;
using report::SpeedUps;

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

template <typename Group>
ordered_json member_of(const std::optional<Group>& group, double Group::* member) {
  return group ? ordered_json((*group).*member) : ordered_json(nullptr);
}

ordered_json bound(const Speed& speed, double schema::Interval::* member) {
  return member_of(speed.ci95, member);
}

ordered_json value_of(const ComparedCase* result, GatedMetric metric) {
  return result != nullptr ? or_null(result->value(metric)) : ordered_json(nullptr);
}

std::size_t launches_of(const ComparedCase* result) {
  return result != nullptr ? result->launches.size() : 0;
}

// Returns the fields of one case and metric in both formats. The verdict is "slower" or "faster" for all
// metrics.
ordered_json case_fields(const CaseComparison& pair) {
  return {{"id", pair.id},
          {"before_step_seconds", value_of(pair.before, GatedMetric::step)},
          {"after_step_seconds", value_of(pair.after, GatedMetric::step)},
          {"before_launches", launches_of(pair.before)},
          {"after_launches", launches_of(pair.after)},
          {"ratio", member_of(pair.ratio, &Ratio::value)},
          {"ratio_low", member_of(pair.ratio, &Ratio::low)},
          {"ratio_high", member_of(pair.ratio, &Ratio::high)},
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
  return {
      {"file", report.file}, {"run_id", report.run_id}, {"started_at", report.started_at}, {"host", report.host.name}};
}

// Returns the cautions about a published figure, as one text.
ordered_json cautions_of(const report::ComparedCase* result) {
  if (result == nullptr || !result->published) return nullptr;
  return listed(result->published->cautions, {" ", " "});
}

// Returns the fields of one case on one device of one report, in both formats.
ordered_json cell_fields(const MachineTable& table, const MachineRow& row, std::size_t at) {
  const MachineColumn& column = table.columns[at];
  const report::MachineCell& cell = row.cells[at];
  const Speed speed = cell.speed.value_or(Speed{});
  return {{"work", row.work},
          {"file", column.report->file},
          {"host", column.report->host.name},
          {"device", to_string(column.device)},
          {"status", cell.result != nullptr ? ordered_json(to_string(cell.result->status)) : ordered_json(nullptr)},
          {"step_seconds", cell.result != nullptr ? or_null(cell.result->step_seconds) : ordered_json(nullptr)},
          {"launches", launches_of(cell.result)},
          {"speed", member_of(cell.speed, &Speed::value)},
          {"speed_low", bound(speed, &schema::Interval::low)},
          {"speed_high", bound(speed, &schema::Interval::high)},
          {"best", cell.best},
          {"published", cell.result != nullptr && cell.result->published.has_value()},
          {"cautions", cautions_of(cell.result)},
          {"within_launch", speed.within_launch},
          {"own_settings", cell.own_settings},
          {"first_token_seconds", cell.result != nullptr ? or_null(cell.result->value(schema::GatedMetric::first_token))
                                                         : ordered_json(nullptr)}};
}

ordered_json summary_fields(const report::MachineSummary& summary) {
  ordered_json machines = ordered_json::array();
  for (const report::MachineSpeeds& one : summary.machines) {
    const auto known = [&](double speed) { return one.speeds.empty() ? ordered_json(nullptr) : ordered_json(speed); };
    machines.push_back({{"file", one.column.report->file},
                        {"host", one.column.report->host.name},
                        {"device", to_string(one.column.device)},
                        {"shared_cases", one.speeds.size()},
                        {"median_speed", known(one.median)},
                        {"least_speed", known(one.least)},
                        {"most_speed", known(one.most)}});
  }
  ordered_json left_out = ordered_json::array();
  for (const report::LeftOutMachine& one : summary.left_out)
    left_out.push_back(
        {{"file", one.report->file},
         {"host", one.report->host.name},
         {"command", one.nearest ? ordered_json(run_command(one.nearest->other->id)) : ordered_json(nullptr)}});
  return {{"base", summary.base->file}, {"machines", std::move(machines)}, {"left_out", std::move(left_out)}};
}

ordered_json family_fields(const SpeedUps& family) {
  ordered_json by_batch = ordered_json::array();
  for (const SpeedUp& one : family.by_batch)
    by_batch.push_back({{"batch_size", one.batch_size},
                        {"speed_up", one.speed.value},
                        {"speed_up_low", bound(one.speed, &schema::Interval::low)},
                        {"speed_up_high", bound(one.speed, &schema::Interval::high)},
                        {"within_launch", one.speed.within_launch}});
  return {{"family", family.family},
          {"file", family.column.report->file},
          {"device", to_string(family.column.device)},
          {"by_batch", std::move(by_batch)},
          {"crossover", or_null(family.crossover)}};
}

std::vector<ordered_json> all_cells(const MachineTable& table) {
  std::vector<ordered_json> cells;
  for (const MachineRow& row : table.rows) {
    for (std::size_t at = 0; at < row.cells.size(); ++at) cells.push_back(cell_fields(table, row, at));
  }
  return cells;
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
    mean = {
        {"ratio", comparison.mean->value}, {"ratio_low", comparison.mean->low}, {"ratio_high", comparison.mean->high}};
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

std::string machines_csv(const MachineTable& table) {
  return csv_of(all_cells(table));
}

std::string machines_json(const MachineTable& table, const report::MachineSummary& summary,
                          const std::vector<std::string>& caveats) {
  ordered_json speed_ups = ordered_json::array();
  for (const SpeedUps& family : table.speed_ups) speed_ups.push_back(family_fields(family));
  const ordered_json document{{"view", "machines"},
                              {"caveats", caveats},
                              {"summary", summary_fields(summary)},
                              {"cases", all_cells(table)},
                              {"speed_ups", std::move(speed_ups)}};
  return base::to_text(document, 1) + "\n";
}

}  // namespace mpsbench::output
