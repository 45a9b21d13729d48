#include "output/page/page_view.hpp"

#include "base/units.hpp"
#include "output/console/comparison_table.hpp"
#include "output/text/cases.hpp"
#include "output/text/columns.hpp"
#include "output/text/figures.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/scaling.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;
using report::MachineRow;
using schema::CaseResult;

constexpr double kSecondsPerMinute = 60;

std::optional<double> number_of(const Value& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) return static_cast<double>(*count);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

using Columns = std::map<std::string, Column>;  // by their keys

Columns columns_by_key(const schema::Report& report) {
  Columns by_key;
  for (Column& column : columns(report)) by_key.emplace(column.key, std::move(column));
  return by_key;
}

// Returns null for a metric without intervals, too.
std::optional<schema::Interval> interval_of(const Columns& of, const std::string& key, const CaseResult& result) {
  if (!of.contains(key + "_low")) return std::nullopt;
  const auto low = number_of(of.at(key + "_low").value(result));
  const auto high = number_of(of.at(key + "_high").value(result));
  return low && high ? std::optional(schema::Interval{*low, *high}) : std::nullopt;
}

// Returns [value, low, high, text, text of the interval], or null.
ordered_json figure_of(const Columns& of, const DrawnColumn& metric, const CaseResult& result) {
  const std::string key = metric.key;
  const bool is_epoch = key == "epoch_seconds";
  if (is_epoch && result.metrics.epoch_seconds.kind != schema::kEpochKinds[0]) return nullptr;
  auto value = number_of(of.at(key).value(result));
  if (key == "step_seconds") value = middle_of(result, result.metrics.step_seconds);
  if (!value || !(*value > 0)) return nullptr;
  const auto interval = interval_of(of, key, result);
  const double unit = is_epoch ? kSecondsPerMinute : 1;
  std::string text = cell_text(of.at(key), result);
  std::string mark;
  if (key == "step_seconds") {
    text = base::format_duration(*value);
    mark = result.published ? kMeanMark : "";
  } else if (key == "rows_per_second") {
    text = format_rate(*value);
    mark = rate_mark(result.metrics.rows_per_second);
  } else if (is_epoch) {
    text = base::format_significant(*value / unit, 3) + " min";
  }
  return {shortened(*value / unit), interval ? shortened(interval->low / unit) : ordered_json(nullptr),
          interval ? shortened(interval->high / unit) : ordered_json(nullptr), text,
          (of.contains(key + "_low") ? interval_text(*value, interval) : "") + mark};
}

// A published figure of other work than the case's name says is not drawn.
ordered_json figures_of(const Columns& of, const CaseResult& result) {
  ordered_json figures = ordered_json::object();
  if (result.published && result.published->is_other_work()) return figures;
  for (const DrawnColumn& metric : drawn_columns()) {
    ordered_json figure = figure_of(of, metric, result);
    if (!figure.is_null()) figures[metric.key] = std::move(figure);
  }
  return figures;
}

// Returns all known figures as [key, text, key, text, ...].
ordered_json all_figures(const Columns& of, const CaseResult& result) {
  ordered_json figures = ordered_json::array();
  for (const schema::MetricField& metric : schema::kMetricFields) {
    const Column& column = of.at(metric.key);
    if (std::holds_alternative<std::monostate>(column.value(result))) continue;
    figures.push_back(std::string_view(metric.about.unit) == "FLOP/s" ? column.title : metric.key);
    figures.push_back(cell_text(column, result));
  }
  return figures;
}

std::string launches_text(const CaseResult& result) {
  if (result.published) return "published";
  const report::LaunchCounts counts = report::launch_counts(result.launches);
  return base::counted(counts.counted, "launch", "launches");
}

ordered_json case_json(const PageReports& page, std::size_t at, const Columns& of, std::size_t most_points) {
  const PageCase& one = page.cases[at];
  const CaseResult& result = page.result(one);
  const std::vector<CaseResult>& cases = (*page.all)[one.report].cases;
  const CaseResult* single = result.spec.ranks > 1 ? report::one_process_case(result, cases) : nullptr;
  ordered_json view{{"m", one.machine},
                    {"model", result.spec.model},
                    {"mode", to_string(result.spec.mode)},
                    {"precision", to_string(result.spec.precision)},
                    {"batch", result.spec.batch_size},
                    {"ranks", result.spec.ranks},
                    {"name", one.name},
                    {"series", one.series},
                    {"best", one.is_fastest},
                    {"launches", launches_text(result)},
                    {"remarks", remarks(result)},
                    {"f", figures_of(of, result)},
                    {"all", all_figures(of, result)},
                    {"details", launches_view(result, most_points)}};
  if (single != nullptr) view["one"] = at - one.number + static_cast<std::size_t>(single - cases.data());
  return view;
}

ordered_json cases_json(const PageReports& page) {
  ordered_json cases = ordered_json::array();
  const std::size_t most_points = points_a_launch(*page.all);
  Columns of;
  for (std::size_t at = 0; at < page.cases.size(); ++at) {
    if (page.cases[at].number == 0) of = columns_by_key((*page.all)[page.cases[at].report]);
    cases.push_back(case_json(page, at, of, most_points));
  }
  return cases;
}

// The rows of the table that have two cases or more: [[case or null for each machine], ...].
ordered_json works_json(const PageReports& page) {
  ordered_json works = ordered_json::array();
  for (const MachineRow& row : page.table.rows) {
    ordered_json& cells = works.emplace_back(ordered_json::array());
    for (const report::MachineCell& cell : row.cells)
      cells.push_back(cell.result == nullptr ? ordered_json(nullptr) : ordered_json(page.position(cell.result)));
  }
  return works;
}

ordered_json reference_json(const PageReference& reference) {
  ordered_json others = ordered_json::array();
  for (const PageSpeeds& one : reference.others) {
    ordered_json ratios = ordered_json::array();
    for (const auto& [row, speed] : one.pairs)
      ratios.push_back({row, shortened(speed.value), speed.ci95 ? shortened(speed.ci95->low) : ordered_json(nullptr),
                        speed.ci95 ? shortened(speed.ci95->high) : ordered_json(nullptr), format_times(speed.value),
                        interval_text(speed)});
    others.push_back(
        {{"m", one.machine},
         {"f",
          {shortened(one.all.median), shortened(one.all.least), shortened(one.all.most), format_times(one.all.median),
           one.pairs.size() > 1 ? format_factors(one.all.least, one.all.most)
                                : interval_text(one.pairs.front().speed)}},
         {"cases", base::counted(one.pairs.size(), "shared case", "shared cases")},
         {"ratios", std::move(ratios)}});
  }
  return {{"m", reference.machine}, {"answer", reference.answer}, {"others", std::move(others)}};
}

// How each case changed, the slower ones first.
ordered_json gate_json(const PageReports& page) {
  ordered_json rows = ordered_json::array();
  for (const report::CaseComparison& pair : page.comparison.value().cases) {
    const report::ComparedCase* shown = pair.after != nullptr ? pair.after : pair.before;
    const std::size_t at = page.position(shown);
    const auto metric = pair.metric == schema::GatedMetric::step ? "" : ", " + to_string(pair.metric);
    ordered_json figure = nullptr;
    if (pair.ratio)
      figure = {shortened(pair.ratio->value), shortened(pair.ratio->low), shortened(pair.ratio->high),
                format_change(pair.ratio->value), format_changes(*pair.ratio)};
    rows.push_back({{"case", at},
                    {"name", page.named(page.cases[at]) + metric},
                    {"f", std::move(figure)},
                    {"threshold", pair.threshold},
                    {"verdict", to_string(pair.verdict)},
                    {"words", verdict_text(pair)},
                    {"values", value_text(pair.before, pair.metric) + " → " + value_text(pair.after, pair.metric)}});
  }
  return rows;
}

}  // namespace

ordered_json page_view(const PageReports& page, const std::vector<PageReference>& references) {
  ordered_json machines = ordered_json::array();
  for (const std::string& name : page.machines) machines.push_back(name);
  ordered_json metrics = ordered_json::array();
  for (const DrawnColumn& one : drawn_columns())
    metrics.push_back({{"key", one.key},
                       {"title", one.title},
                       {"unit", one.unit},
                       {"more", one.is_more_better},
                       {"by_batch", one.is_by_batch}});
  ordered_json modes = ordered_json::object();
  for (const schema::ModeRow& mode : schema::ClosedSet<schema::Mode>::kRows)
    modes[std::string(mode.name)] = {{"heading", mode.heading}, {"speed", std::string(mode.unit) + "_per_second"}};
  ordered_json all = ordered_json::array();
  for (const PageReference& one : references) all.push_back(reference_json(one));
  return {{"title", page_title(page)},
          {"subtitle", page_subtitle(page)},
          {"machines", std::move(machines)},
          {"metrics", std::move(metrics)},
          {"modes", std::move(modes)},
          {"cases", cases_json(page)},
          {"works", works_json(page)},
          {"references", std::move(all)},
          {"gate", page.comparison ? gate_json(page) : ordered_json(nullptr)}};
}

}  // namespace mpsbench::output
