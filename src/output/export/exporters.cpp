#include "output/export/exporters.hpp"

#include "base/json_file.hpp"
#include "base/units.hpp"
#include "output/text/cases.hpp"
#include "output/text/columns.hpp"
#include "output/text/figures.hpp"
#include "output/text/text.hpp"
#include "report/metrics/counted_launches.hpp"
#include "stats/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace mpsbench::output {

namespace {

using nlohmann::ordered_json;

std::string csv_cell(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? csv_text_cell(*text) : plain_text(value);
}

// Returns VALUE and INTERVAL, multiplied by FACTOR to convert the unit.
ordered_json measure(double value, const std::optional<schema::Interval>& interval, double factor) {
  ordered_json measure{{"value", value * factor}};
  if (interval) {
    measure["lower_value"] = interval->low * factor;
    measure["upper_value"] = interval->high * factor;
  }
  return measure;
}

constexpr double kMillisecondsPerSecond = 1e3;

// Returns the text that a chart shows when the mouse is over a point.
std::string extra(const schema::CaseResult& result) {
  std::string text = "launches: " + std::to_string(timed_launches(result).size());
  if (const auto& rate = result.metrics.rows_per_second.value) text += "\nrows/s: " + format_rate(*rate);
  const std::string remark = printable(remarks(result));
  return remark.empty() ? text : text + "\n" + remark;
}

ordered_json context(const schema::Report& report) {
  const schema::HostInfo& host = report.host;
  ordered_json load = ordered_json::array();
  if (host.load_average) load.push_back(*host.load_average);
  ordered_json context{{"date", printable(report.run.started_at)},
                       {"host_name", printable(host.name)},
                       {"executable", printable(report.tool.name)},
                       {"num_cpus", host.cpu.logical_cores},
                       {"caches", ordered_json::array()},
                       {"load_avg", std::move(load)},
                       {"library_build_type", report.tool.build_type == "Debug" ? "debug" : "release"},
                       {"json_schema_version", 1},
                       {"mpsbench_version", printable(report.tool.version)},
                       {"cpu_time", "not measured: real_time stands in its place"}};
  if (host.libtorch) context["libtorch_version"] = printable(host.libtorch->version);
  return context;
}

// The entries of one case in Google Benchmark's JSON.
class Family {
 public:
  Family(const schema::CaseResult& result, std::size_t index)
      : result_(&result),
        name_(printable(result.id)),
        label_(printable(remarks(result))),
        index_(index),
        launches_(timed_launches(result)) {}

  void append_to(ordered_json& entries) const {
    if (!has_figures(*result_)) {
      entries.push_back(error());
      return;
    }
    const std::vector<double> steps = median_steps(launches_);
    std::vector<double> rates;
    for (const schema::Launch* launch : launches_)
      rates.push_back(report::rows_per_second(result_->spec, *launch).value_or(0));
    for (std::size_t at = 0; at < launches_.size(); ++at) {
      ordered_json one = entry(name_, "iteration");
      one["repetition_index"] = at;
      add_time(one, report::measured_steps(result_->spec, *launches_[at]), steps[at] * base::kNanosecondsPerSecond);
      one["items_per_second"] = rates[at];
      entries.push_back(std::move(one));
    }
    if (launches_.size() < 2) return;
    const double mean_step = stats::mean_of(steps);
    const double mean_rate = stats::mean_of(rates);
    const double step_spread = stats::stddev(steps).value();
    const double rate_spread = stats::stddev(rates).value();
    constexpr double kNanoseconds = base::kNanosecondsPerSecond;
    entries.push_back(aggregate("median", "time", stats::median_of(steps) * kNanoseconds,
                                result_->metrics.rows_per_second.value.value_or(0)));
    entries.push_back(aggregate("mean", "time", mean_step * kNanoseconds, mean_rate));
    entries.push_back(aggregate("stddev", "time", step_spread * kNanoseconds, rate_spread));
    entries.push_back(aggregate("cv", "percentage", step_spread / mean_step, rate_spread / mean_rate));
  }

 private:
  [[nodiscard]] ordered_json entry(const std::string& name, const char* type) const {
    return {
        {"name", name},     {"family_index", index_},          {"per_family_instance_index", 0},  {"run_name", name_},
        {"run_type", type}, {"repetitions", launches_.size()}, {"threads", result_->spec.threads}};
  }

  void add_time(ordered_json& entry, std::int64_t iterations, double time) const {
    entry["iterations"] = iterations;
    entry["real_time"] = time;
    entry["cpu_time"] = time;
    entry["time_unit"] = "ns";
    if (!label_.empty()) entry["label"] = label_;
  }

  [[nodiscard]] ordered_json error() const {
    ordered_json one = entry(name_, "iteration");
    one["repetition_index"] = 0;
    one["error_occurred"] = true;
    one["error_message"] = result_->published ? "published figures have no launches"
                           : label_.empty()   ? "no step was measured"
                                              : label_;
    add_time(one, 0, 0);
    return one;
  }

  // TIME and RATE are the statistic over the launches.
  [[nodiscard]] ordered_json aggregate(const std::string& statistic, const char* unit, double time, double rate) const {
    ordered_json one = entry(name_ + "_" + statistic, "aggregate");
    one["aggregate_name"] = statistic;
    one["aggregate_unit"] = unit;
    add_time(one, std::ssize(launches_), time);
    one["items_per_second"] = rate;
    return one;
  }

  const schema::CaseResult* result_;
  std::string name_;
  std::string label_;
  std::size_t index_;
  std::vector<const schema::Launch*> launches_;
};

constexpr int kDigits = 3;  // of a number with a fraction

std::string texts_of(const ordered_json& list) {
  return listed(list.get<std::vector<std::string>>(), {", "});
}

std::string list_cell(const ordered_json& value) {
  if (value.empty()) return kNone;  // null or an empty list; a text is not empty() in JSON
  if (value.is_array()) return texts_of(value);
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return base::format_count(value.get<std::int64_t>());
  if (value.is_number()) return base::format_significant(value.get<double>(), kDigits);
  return value.get<std::string>();
}

Grid grid_of(const ordered_json& entries) {
  Grid grid;
  for (const auto& [key, value] : entries.front().items()) {
    grid.titles.push_back(key);
    grid.right.push_back(value.is_number());
  }
  for (const ordered_json& entry : entries) {
    Grid::Row& row = grid.rows.emplace_back();
    for (const auto& [key, value] : entry.items()) row.cells.push_back(list_cell(value));
  }
  return grid;
}

}  // namespace

std::string to_csv(const schema::Report& report) {
  std::vector<Column> all = columns(report);
  std::ranges::stable_sort(all, {}, &Column::is_late);
  std::string text;
  for (const Column& column : all) text += (text.empty() ? "" : ",") + column.key;
  text += "\r\n";
  for (const schema::CaseResult& result : report.cases) {
    std::string line;
    for (const Column& column : all) {
      line += (&column == all.data() ? "" : ",") + csv_cell(column.value(result));
    }
    text += line + "\r\n";
  }
  return text;
}

std::string to_markdown(const schema::Report& report) {
  std::string text = markdown(report_grid(report));
  std::string lines;
  for (const std::string& line : training_lines(report)) lines += "- " + markdown_cell(line) + "\n";
  return lines.empty() ? text : text + "\n" + lines;
}

std::string to_json_text(const schema::Report& report) {
  return base::to_text(schema::to_json(report), 1) + "\n";
}

std::string to_json_lines(const schema::Report& report) {
  std::string text;
  for (const schema::CaseResult& result : report.cases) text += base::to_text(schema::to_json(result)) + "\n";
  return text;
}

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

std::string to_github_action(const schema::Report& report) {
  ordered_json entries = ordered_json::array();
  for (const schema::CaseResult& result : report.cases) {
    if (!has_figures(result)) continue;
    const schema::TimeMetrics& step = result.metrics.step_seconds;
    const double median = step.median.value();
    ordered_json entry{{"name", printable(result.id)}, {"unit", "ms"}, {"value", median * kMillisecondsPerSecond}};
    if (step.ci95 && median > 0) entry["range"] = interval_text(median, step.ci95);
    entry["extra"] = extra(result);
    entries.push_back(std::move(entry));
  }
  return base::to_text(entries, 1) + "\n";
}

std::string to_google_benchmark(const schema::Report& report) {
  ordered_json entries = ordered_json::array();
  for (std::size_t i = 0; i < report.cases.size(); ++i) Family(report.cases[i], i).append_to(entries);
  return base::to_text(ordered_json{{"context", context(report)}, {"benchmarks", std::move(entries)}}, 1) + "\n";
}

std::string list_table(const ordered_json& entries) {
  return aligned(grid_of(entries), false);
}

std::string list_markdown(const ordered_json& entries) {
  return entries.empty() ? "" : markdown(grid_of(entries));
}

std::string list_csv(const ordered_json& entries) {
  std::vector<ordered_json> rows(entries.begin(), entries.end());
  for (ordered_json& row : rows) {
    for (ordered_json& value : row) {
      if (value.is_array()) value = texts_of(value);
    }
  }
  return csv_of(rows);
}

std::string list_json(const ordered_json& entries) {
  return base::to_text(entries, 1) + "\n";
}

std::string list_json_lines(const ordered_json& entries) {
  std::string text;
  for (const ordered_json& entry : entries) text += base::to_text(entry) + "\n";
  return text;
}

}  // namespace mpsbench::output
