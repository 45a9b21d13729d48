#include "output/text/columns.hpp"

#include "base/units.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/metric_columns.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/resource_metrics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mpsbench::output {
namespace {

using schema::CaseResult;

constexpr double kGiga = 1e9;
constexpr double kTera = 1e12;
constexpr const char* kPeak = "peak_bytes";
constexpr const char* kProjected = "projected_epochs_seconds";
constexpr const char* kEfficiency = "scaling_efficiency";

// The order of the columns, and the headings of those that tables for people show. The other columns of a
// metric follow it. Metrics that are not listed here come last, in the order of their own table.
struct Placed {
  const char* key;
  const char* title = "";
  bool where_known = false;  // shown only if a case has it
};
constexpr Placed kPlaced[] = {{"step_seconds", "step"},
                              {"step_p90_seconds", "p90"},
                              {"latency_seconds"},
                              {"loop_seconds", "loop", true},
                              {"rows_per_second", "rows/s"},
                              {"mean_rows_per_second"},
                              {kEfficiency, "efficiency", true},
                              {"flops_per_second", "GFLOP/s"},
                              {"ceiling_share", "ceiling", true},
                              {"epoch_seconds"},
                              {kProjected, "epochs", true},
                              {"data_wait_share"},
                              {"training_accuracy"},
                              {"validation_accuracy"},
                              {"test_accuracy"},
                              {"energy_joules_per_row"},
                              {"energy_method"},
                              {"rows_per_second_per_1000_dollars", "rows/s/1000$", true},
                              {"parameters"},
                              {"flops_per_step"},
                              {kPeak, "peak mem"},
                              {"peak_device_bytes"},
                              {"peak_reserved_bytes"},
                              {"peak_resident_bytes"}};

std::string words_text(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

void add_case(std::vector<Column>& columns) {
  columns.push_back({"id", [](const CaseResult& c) { return Value(c.id); }});
  columns.push_back({"model", [](const CaseResult& c) { return Value(c.spec.model); }, "model", false});
  columns.push_back({"mode", [](const CaseResult& c) { return Value(to_string(c.spec.mode)); }, "mode", false});
  columns.push_back({"device", [](const CaseResult& c) { return Value(to_string(c.spec.device)); }, "device", false});
  columns.push_back(
      {"precision", [](const CaseResult& c) { return Value(to_string(c.spec.precision)); }, "prec", false});
  columns.push_back({"batch_size", [](const CaseResult& c) { return Value(c.spec.batch_size); }, "batch"});
  columns.push_back({"engine", [](const CaseResult& c) { return Value(to_string(c.spec.engine)); }, "", false});
  columns.push_back({"dataset", [](const CaseResult& c) { return Value(to_string(c.spec.dataset)); }});
  columns.push_back({"threads", [](const CaseResult& c) { return Value(c.spec.threads); }});
  columns.push_back(
      {.key = "interop_threads",
       .value = [](const CaseResult& c) { return c.spec.interop_threads ? Value(*c.spec.interop_threads) : Value(); },
       .is_late = true});
  columns.push_back({.key = "affinity",
                     .value = [](const CaseResult& c) { return c.spec.affinity ? Value(*c.spec.affinity) : Value(); },
                     .right = false,
                     .is_late = true});
  columns.push_back(
      {.key = "ranks", .value = [](const CaseResult& c) { return Value(c.spec.ranks); }, .is_late = true});
  columns.push_back(
      {.key = "scaling",
       .value = [](const CaseResult& c) { return c.spec.ranks > 1 ? Value(to_string(c.spec.scaling)) : Value(); },
       .right = false,
       .is_late = true});
  columns.push_back({"status", [](const CaseResult& c) { return Value(to_string(c.status)); }});
  columns.push_back({"failure", [](const CaseResult& c) { return Value(c.failure ? c.failure->message : ""); }});
  columns.push_back({"launches", [](const CaseResult& c) { return Value(std::ssize(c.launches)); }});
  columns.push_back({"disturbed_launches", [](const CaseResult& c) {
                       return Value(static_cast<std::int64_t>(report::launch_counts(c.launches).disturbed));
                     }});
}

// Returns "4 of 6 launches, 2 disturbed", or "3 launches, 1 disturbed" if all count. Empty if none was
// disturbed.
std::string disturbed_words(const CaseResult& result) {
  const report::LaunchCounts launches = report::launch_counts(result.launches);
  if (launches.disturbed == 0) return "";
  const std::string counted = launches.counted < launches.good ? fmt::format("{} of ", launches.counted) : "";
  return counted + base::counted(launches.good, "launch", "launches") +
         fmt::format(", {} disturbed", launches.disturbed);
}

Value peak_bytes(const CaseResult& result) {
  const auto bytes = report::peak_bytes(result.metrics);
  return bytes ? Value(*bytes) : Value();
}

void add_placed(std::vector<Column>& columns, std::string_view key) {
  if (key == kPeak) {
    columns.push_back({.key = kPeak, .value = peak_bytes, .text = [](const CaseResult& c) {
                         return text_in_unit(peak_bytes(c), "B");
                       }});
    return;
  }
  for (const schema::MetricField& metric : schema::kMetricFields) {
    if (metric.key == key) add_metric_columns(columns, metric);
  }
}

Value percentile_of(const schema::TimeMetrics& time, const std::string& key) {
  const auto found = time.percentiles.find(key);
  return found != time.percentiles.end() && found->second ? Value(*found->second) : Value();
}

// Columns for the percentiles that the run asked for, in rising order together with the 90th and the 99th,
// which have columns anyway. IS_SHOWN: tables for people show them.
void add_percentiles(std::vector<Column>& columns, const std::vector<double>& percentiles, const std::string& stem,
                     schema::TimeMetrics schema::Metrics::* time, bool is_shown) {
  std::set<double> all(percentiles.begin(), percentiles.end());
  all.insert({90, 99});
  const auto place = [&columns](const std::string& key) {
    return std::find_if(columns.begin(), columns.end(), [&](const Column& one) { return one.key == key; });
  };
  auto at = place(stem + "_p90_seconds");
  for (const double percent : all) {
    const std::string name = schema::percentile_key(percent);
    const std::string key = fmt::format("{}_p{}_seconds", stem, name);
    const auto known = place(key);
    if (known == columns.end()) {
      const auto value = [name, time](const CaseResult& c) { return percentile_of(c.metrics.*time, name); };
      at = columns.insert(at,
                          {key, value, "", true, [value](const CaseResult& c) { return text_in_unit(value(c), "s"); }});
    } else {
      at = known;
    }
    const bool is_wanted = std::find(percentiles.begin(), percentiles.end(), percent) != percentiles.end();
    if (is_shown && is_wanted) at->title = "p" + name;
    ++at;
  }
}

// The speed-up over the CPU that was published in place of a time.
void add_speed_up(std::vector<Column>& columns, const schema::Report& report) {
  const auto value = [](const CaseResult& c) {
    return c.published && c.published->speed_up ? Value(*c.published->speed_up) : Value();
  };
  const bool is_known = std::ranges::any_of(report.cases, [&](const CaseResult& c) { return value(c).index() != 0; });
  columns.push_back({.key = "published_speed_up",
                     .value = value,
                     .title = is_known ? "speed-up" : "",
                     .text =
                         [](const CaseResult& c) {
                           const bool has = c.published && c.published->speed_up;
                           return has ? format_times(*c.published->speed_up) : text_in_unit({}, "");
                         },
                     .is_late = true});
}

// Shows rates in GFLOP/s, or in TFLOP/s if a case reaches 1 TFLOP/s.
void scale_flops(Column& column, const schema::Report& report) {
  double fastest = 0;
  for (const CaseResult& result : report.cases)
    fastest = std::max(fastest, result.metrics.flops_per_second.value_or(0));
  const double unit = fastest >= kTera ? kTera : kGiga;
  if (unit == kTera) column.title = "TFLOP/s";
  column.text = [unit](const CaseResult& c) {
    const auto& rate = c.metrics.flops_per_second;
    return rate ? base::format_significant(*rate / unit, 3) : text_in_unit({}, "");
  };
}

void set_headings(std::vector<Column>& columns, const schema::Report& report) {
  const auto column = [&columns](std::string_view key) -> Column& {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [key](const Column& one) { return one.key == key; });
    if (found == columns.end()) throw std::logic_error("no column " + std::string(key));
    return *found;
  };
  const auto any = [&report](const auto& is) { return std::any_of(report.cases.begin(), report.cases.end(), is); };
  for (const Placed& placed : kPlaced) {
    Column& one = column(placed.key);
    const auto is_known = [&one](const CaseResult& c) { return one.value(c).index() != 0; };
    if (!placed.where_known || any(is_known)) one.title = placed.title;
  }
  if (any([](const CaseResult& c) { return c.spec.engine != schema::Engine::eager; }))
    column("engine").title = "engine";
  const auto differs = [&](auto member) {
    return any([&](const CaseResult& c) { return c.spec.*member != report.cases.front().spec.*member; });
  };
  const auto has_several_on = [&any](bool is_gpu) {
    return any([is_gpu](const CaseResult& c) { return c.spec.ranks != 1 && c.spec.device.row().one_a_rank == is_gpu; });
  };
  if (has_several_on(true)) column("ranks").title = "GPUs";
  if (has_several_on(false)) column("ranks").title = "ranks";
  // Processes that share the cores have fewer threads by default, which the number of processes tells.
  std::map<std::int64_t, std::int64_t> threads;  // by number of processes
  if (any([&threads](const CaseResult& c) {
        return threads.try_emplace(c.spec.ranks, c.spec.threads).first->second != c.spec.threads;
      }))
    column("threads").title = "threads";
  if (differs(&schema::CaseSpec::interop_threads)) column("interop_threads").title = "inter-op";
  if (differs(&schema::CaseSpec::affinity)) column("affinity").title = "CPUs";
  if (Column& projected = column(kProjected); report.run.epochs_projected && !projected.title.empty())
    projected.title =
        fmt::format("{} epoch{}", *report.run.epochs_projected, *report.run.epochs_projected == 1 ? "" : "s");
  column("step_seconds").text = step_text;
  column("rows_per_second").text = [](const CaseResult& c) {
    const schema::RateMetric& rate = c.metrics.rows_per_second;
    return rate.value ? format_rate(*rate.value) + rate_mark(rate) : text_in_unit({}, "");
  };
  scale_flops(column("flops_per_second"), report);
}

}  // namespace

std::vector<Column> columns(const schema::Report& report) {
  std::vector<Column> all;
  add_case(all);
  for (const Placed& placed : kPlaced) add_placed(all, placed.key);
  add_percentiles(all, report.run.percentiles, "step", &schema::Metrics::step_seconds, true);
  add_percentiles(all, report.run.percentiles, "latency", &schema::Metrics::latency_seconds, false);
  add_speed_up(all, report);
  all.push_back({"flags", [](const CaseResult& c) { return Value(words_text(c.flags)); }, "flags", false, remarks});
  all.push_back({"definition_sha256", [](const CaseResult& c) { return Value(c.definition_sha256); }});
  for (const schema::MetricField& metric : schema::kMetricFields) {
    const auto is_placed = [&metric](const Placed& placed) { return std::string_view(placed.key) == metric.key; };
    if (std::none_of(std::begin(kPlaced), std::end(kPlaced), is_placed)) add_metric_columns(all, metric);
  }
  set_headings(all, report);
  return all;
}

std::string cell_text(const Column& column, const CaseResult& result) {
  if (column.text) return column.text(result);
  return text_in_unit(column.value(result), "");
}

std::string plain_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return std::to_string(*count);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return "";
}

std::optional<double> middle_of(const CaseResult& result, const schema::TimeMetrics& time) {
  return result.published ? time.mean : time.median;
}

std::string step_text(const CaseResult& result) {
  const schema::TimeMetrics& step = result.metrics.step_seconds;
  const auto middle = middle_of(result, step);
  if (!middle) return text_in_unit({}, "s");
  return with_interval(*middle, step.ci95) + (result.published ? kMeanMark : "");
}

std::string remarks(const CaseResult& result) {
  std::string words;
  for (const std::string& part :
       {failure_words(result.status, result.failure), words_text(result.flags), disturbed_words(result)}) {
    if (!part.empty()) words += (words.empty() ? "" : ", ") + part;
  }
  return words;
}

std::string failure_words(schema::Status status, const std::optional<schema::Failure>& failure) {
  std::string words(row_of(status).help);
  const std::string message = failure ? failure->message : "";
  if (words.empty() || message.empty()) return words;
  return message.starts_with(words) ? message : words + " (" + message + ")";
}

std::string format_rate(double rate, int digits) {
  const std::string text = base::format_significant(rate, digits);
  const auto whole = base::parse_whole_number(text);
  return whole ? base::format_count(*whole) : text;
}

std::string rate_mark(const schema::RateMetric& rate) {
  if (rate.kind == schema::kOfMedianStep) return "";
  return rate.kind == schema::kOfMeanStep ? kMeanMark : " (" + rate.kind + ")";
}

std::string times_text(double times) {
  return format_rate(times, 2);
}

std::string speed_words(double speed) {
  const bool slower = speed < 1;
  const std::string times = times_text(slower ? 1 / speed : speed);
  if (times == "1.0") return "as fast";
  return times + (slower ? " times slower" : " times as fast");
}

}  // namespace mpsbench::output
