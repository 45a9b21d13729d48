#include "output/export/google_benchmark.hpp"

#include "base/json_file.hpp"
#include "base/units.hpp"
#include "output/text/columns.hpp"
#include "output/text/measured.hpp"
#include "output/text/text.hpp"
#include "report/metrics/measured_steps.hpp"
#include "stats/summary.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;

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
    entries.push_back(
        aggregate("cv", step_spread / stats::mean_of(steps_), rate_spread / stats::mean_of(rates)));
  }

 private:
  [[nodiscard]] ordered_json entry(const std::string& name, const char* type) const {
    return {{"name", name},
            {"family_index", index_},
            {"per_family_instance_index", 0},
            {"run_name", name_},
            {"run_type", type},
            {"repetitions", launches_.size()},
            {"threads", result_->spec.threads}};
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

std::string to_google_benchmark(const schema::Report& report) {
  ordered_json entries = ordered_json::array();
  for (std::size_t i = 0; i < report.cases.size(); ++i) Family(report.cases[i], i).append_to(entries);
  return base::to_text(ordered_json{{"context", context(report)}, {"benchmarks", std::move(entries)}}, 1) +
         "\n";
}

}  // namespace mpsbench::output
