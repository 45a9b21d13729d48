#include "output/export/exporters.hpp"

#include "base/json_file.hpp"
#include "base/units.hpp"
#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/learned.hpp"
#include "output/text/report_grid.hpp"
#include "output/text/text.hpp"
#include "report/metrics/counted_launches.hpp"
#include "stats/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace mpsbench::output {

namespace {

std::string csv_cell(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? csv_text_cell(*text) : plain_text(value);
}

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

// The entries of one case.
class Family {
 public:
  Family(const schema::CaseResult& result, std::size_t index)
      : result_(&result),
        name_(printable(result.id)),
        label_(printable(remarks(result))),
        index_(index),
        launches_(timed_launches(result)),
        steps_(median_steps(launches_)) {}

  void append_to(ordered_json& entries) const {
    if (!has_figures(*result_)) {
      entries.push_back(error());
      return;
    }
    for (std::size_t i = 0; i < launches_.size(); ++i) entries.push_back(launch(i));
    if (launches_.size() < 2) return;
    const std::vector<double> rates = row_rates();
    entries.push_back(
        aggregate("median", stats::median_of(steps_), result_->metrics.rows_per_second.value.value_or(0)));
    entries.push_back(aggregate("mean", stats::mean_of(steps_), stats::mean_of(rates)));
    const double step_spread = stats::stddev(steps_).value();
    const double rate_spread = stats::stddev(rates).value();
    entries.push_back(aggregate("stddev", step_spread, rate_spread));
    entries.push_back(aggregate("cv", step_spread / stats::mean_of(steps_), rate_spread / stats::mean_of(rates)));
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

  [[nodiscard]] double row_rate(const schema::Launch& launch) const {
    return report::rows_per_second(result_->spec, launch).value_or(0);
  }
  [[nodiscard]] std::vector<double> row_rates() const {
    std::vector<double> rates;
    for (const schema::Launch* launch : launches_) rates.push_back(row_rate(*launch));
    return rates;
  }

  [[nodiscard]] ordered_json launch(std::size_t at) const {
    const schema::Launch& launch = *launches_[at];
    ordered_json one = entry(name_, "iteration");
    one["repetition_index"] = at;
    add_time(one, report::measured_steps(result_->spec, launch), steps_[at] * base::kNanosecondsPerSecond);
    one["items_per_second"] = row_rate(launch);
    return one;
  }

  // STEP and RATE are the statistic over the launches: of steps in seconds and of rows per second. For "cv"
  // both are shares.
  [[nodiscard]] ordered_json aggregate(const std::string& statistic, double step, double rate) const {
    const bool is_share = statistic == "cv";
    ordered_json one = entry(name_ + "_" + statistic, "aggregate");
    one["aggregate_name"] = statistic;
    one["aggregate_unit"] = is_share ? "percentage" : "time";
    add_time(one, std::ssize(launches_), is_share ? step : step * base::kNanosecondsPerSecond);
    one["items_per_second"] = rate;
    return one;
  }

  const schema::CaseResult* result_;
  std::string name_;
  std::string label_;
  std::size_t index_;
  std::vector<const schema::Launch*> launches_;
  std::vector<double> steps_;
};

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
  for (const std::string& line : learned(report)) lines += "- " + markdown_cell(line) + "\n";
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

}  // namespace mpsbench::output
