#include "output/export/exporters.hpp"

#include "base/json_file.hpp"
#include "base/units.hpp"
#include "output/text/cases.hpp"
#include "output/text/columns.hpp"
#include "output/text/figures.hpp"
#include "output/text/text.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/metrics.hpp"
#include "stats/summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <tuple>
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
constexpr double kNanoseconds = base::kNanosecondsPerSecond;

// Returns the text that a chart shows when the mouse is over a point.
std::string extra(const schema::CaseResult& result) {
  std::string text = "launches: " + std::to_string(timed_launches(result).size());
  if (const auto rate = report::speed_of(result.spec, result.metrics).value)
    text += "\n" + std::string(row_of(result.spec.mode).unit) + "/s: " + format_rate(*rate);
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

// Adds the entries of RESULT, the case of this INDEX, in Google Benchmark's JSON.
void add_family(ordered_json& entries, const schema::CaseResult& result, std::size_t index) {
  const std::string name = printable(result.id);
  const std::string label = printable(remarks(result));
  const std::vector<const schema::Launch*> launches = timed_launches(result);
  const auto add = [&](const std::string& suffix, const char* type, const ordered_json& own, std::int64_t iterations,
                       double time, std::optional<double> rate) {
    ordered_json& entry = entries.emplace_back(ordered_json{{"name", name + suffix},
                                                            {"family_index", index},
                                                            {"per_family_instance_index", 0},
                                                            {"run_name", name},
                                                            {"run_type", type},
                                                            {"repetitions", launches.size()},
                                                            {"threads", result.spec.threads}});
    entry.update(own);
    entry["iterations"] = iterations;
    entry["real_time"] = time;
    entry["cpu_time"] = time;
    entry["time_unit"] = "ns";
    if (!label.empty()) entry["label"] = label;
    if (rate) entry["items_per_second"] = *rate;
  };
  if (!has_figures(result)) {
    const std::string why = result.published ? "published figures have no launches" : "no step was measured";
    add("", "iteration",
        {{"repetition_index", 0},
         {"error_occurred", true},
         {"error_message", result.published || label.empty() ? why : label}},
        0, 0, {});
    return;
  }
  const std::vector<double> steps = median_steps(launches);
  std::vector<double> rates;
  for (std::size_t at = 0; at < launches.size(); ++at) {
    rates.push_back(report::rows_per_second(result.spec, *launches[at]).value_or(0));
    add("", "iteration", ordered_json::object({{"repetition_index", at}}),
        report::measured_steps(result.spec, *launches[at]), steps[at] * kNanoseconds, rates[at]);
  }
  if (launches.size() < 2) return;
  const double mean = stats::mean_of(steps);
  const double mean_rate = stats::mean_of(rates);
  const double spread = stats::stddev(steps).value();
  const double rate_spread = stats::stddev(rates).value();
  using Aggregate = std::tuple<const char*, const char*, double, double>;
  for (const auto& [statistic, unit, time, rate] :
       {Aggregate{"median", "time", stats::median_of(steps) * kNanoseconds,
                  report::speed_of(result.spec, result.metrics).value.value_or(0)},
        Aggregate{"mean", "time", mean * kNanoseconds, mean_rate},
        Aggregate{"stddev", "time", spread * kNanoseconds, rate_spread},
        Aggregate{"cv", "percentage", spread / mean, rate_spread / mean_rate}})
    add(std::string("_") + statistic, "aggregate", {{"aggregate_name", statistic}, {"aggregate_unit", unit}},
        std::ssize(launches), time, rate);
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
    const schema::ValueMetric rate = report::speed_of(result.spec, result.metrics);
    ordered_json& measures = document[printable(result.id)];
    measures["latency"] = measure(step.median.value(), step.ci95, kNanoseconds);
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
  for (std::size_t i = 0; i < report.cases.size(); ++i) add_family(entries, report.cases[i], i);
  return base::to_text(ordered_json{{"context", context(report)}, {"benchmarks", std::move(entries)}}, 1) + "\n";
}

}  // namespace mpsbench::output
