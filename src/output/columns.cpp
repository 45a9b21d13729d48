#include "output/columns.hpp"

#include "base/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpsbench::output {
namespace {

using schema::CaseResult;
using schema::Interval;
using schema::Metrics;
using schema::TimeMetrics;

constexpr const char* kNone = "–";
constexpr double kGiga = 1e9;
constexpr double kTera = 1e12;

template <typename T>
Value or_null(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

Value or_null(const std::optional<Interval>& interval, double Interval::* bound) {
  return interval ? Value((*interval).*bound) : Value();
}

std::string duration_text(const std::optional<double>& seconds) {
  return seconds ? base::format_duration(*seconds) : kNone;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

void add_interval(std::vector<Column>& columns, const std::string& key,
                  const std::function<const std::optional<Interval>&(const CaseResult&)>& interval) {
  columns.push_back(
      {key + "_low", [interval](const CaseResult& c) { return or_null(interval(c), &Interval::low); }});
  columns.push_back(
      {key + "_high", [interval](const CaseResult& c) { return or_null(interval(c), &Interval::high); }});
}

// Spread and percentiles of a step or a latency.
void add_distribution(std::vector<Column>& columns, const std::string& name, TimeMetrics Metrics::* time) {
  using Field = std::optional<double> TimeMetrics::*;
  for (const auto& [field, member] : {std::pair<const char*, Field>{"mean", &TimeMetrics::mean},
                                      {"stddev", &TimeMetrics::stddev},
                                      {"min", &TimeMetrics::min},
                                      {"max", &TimeMetrics::max},
                                      {"p99", &TimeMetrics::p99}}) {
    columns.push_back(
        {fmt::format("{}_{}_seconds", name, field),
         [time, figure = member](const CaseResult& c) { return or_null((c.metrics.*time).*figure); }});
  }
}

// Shown where not all cases have the same.
void add_engine(std::vector<Column>& columns, bool shown) {
  columns.push_back({"engine", [](const CaseResult& c) { return Value(to_string(c.spec.engine)); },
                     shown ? "engine" : "", false});
}

void add_case(std::vector<Column>& columns, bool with_engine) {
  columns.push_back({"id", [](const CaseResult& c) { return Value(c.id); }});
  columns.push_back({"model", [](const CaseResult& c) { return Value(c.spec.model); }, "model", false});
  columns.push_back(
      {"mode", [](const CaseResult& c) { return Value(to_string(c.spec.mode)); }, "mode", false});
  columns.push_back(
      {"device", [](const CaseResult& c) { return Value(to_string(c.spec.device)); }, "device", false});
  columns.push_back(
      {"precision", [](const CaseResult& c) { return Value(to_string(c.spec.precision)); }, "prec", false});
  columns.push_back({"batch_size", [](const CaseResult& c) { return Value(c.spec.batch_size); }, "batch"});
  add_engine(columns, with_engine);
  columns.push_back({"dataset", [](const CaseResult& c) { return Value(to_string(c.spec.dataset)); }});
  columns.push_back({"threads", [](const CaseResult& c) { return Value(c.spec.threads); }});
  columns.push_back({"status", [](const CaseResult& c) { return Value(to_string(c.status)); }});
  columns.push_back(
      {"failure", [](const CaseResult& c) { return Value(c.failure ? c.failure->message : ""); }});
  columns.push_back({"launches", [](const CaseResult& c) { return Value(std::ssize(c.launches)); }});
}

void add_step(std::vector<Column>& columns) {
  columns.push_back({"step_seconds",
                     [](const CaseResult& c) { return or_null(c.metrics.step_seconds.median); }, "step", true,
                     [](const CaseResult& c) {
                       const TimeMetrics& step = c.metrics.step_seconds;
                       return step.median ? with_interval(*step.median, step.ci95) : kNone;
                     }});
  add_interval(columns, "step_seconds",
               [](const CaseResult& c) -> const auto& { return c.metrics.step_seconds.ci95; });
  columns.push_back({"step_count", [](const CaseResult& c) { return Value(c.metrics.step_seconds.count); }});
  add_distribution(columns, "step", &Metrics::step_seconds);
  columns.push_back({"step_p90_seconds",
                     [](const CaseResult& c) { return or_null(c.metrics.step_seconds.p90); }, "p90", true,
                     [](const CaseResult& c) { return duration_text(c.metrics.step_seconds.p90); }});
}

void add_latency(std::vector<Column>& columns) {
  columns.push_back(
      {"latency_seconds", [](const CaseResult& c) { return or_null(c.metrics.latency_seconds.median); }});
  add_interval(columns, "latency_seconds",
               [](const CaseResult& c) -> const auto& { return c.metrics.latency_seconds.ci95; });
  add_distribution(columns, "latency", &Metrics::latency_seconds);
  columns.push_back(
      {"latency_p90_seconds", [](const CaseResult& c) { return or_null(c.metrics.latency_seconds.p90); }});
}

// Shown where a case has it.
void add_ceiling(std::vector<Column>& columns, bool shown) {
  columns.push_back({"ceiling_share", [](const CaseResult& c) { return or_null(c.metrics.ceiling_share); },
                     shown ? "ceiling" : "", true,
                     [](const CaseResult& c) {
                       const auto& share = c.metrics.ceiling_share;
                       return share ? fmt::format("{:.{}f} %", *share * 100, *share < 0.0995 ? 1 : 0) : kNone;
                     }});
}

// Shown where a case has it.
void add_loop(std::vector<Column>& columns, bool shown) {
  columns.push_back({"loop_seconds", [](const CaseResult& c) { return or_null(c.metrics.loop_seconds); },
                     shown ? "loop" : "", true,
                     [](const CaseResult& c) { return duration_text(c.metrics.loop_seconds); }});
}

// Likewise.
void add_value(std::vector<Column>& columns, bool shown) {
  const auto value = [](const CaseResult& c) { return c.metrics.rows_per_second_per_1000_dollars; };
  columns.push_back({"rows_per_second_per_1000_dollars",
                     [value](const CaseResult& c) { return or_null(value(c)); }, shown ? "rows/s/1000$" : "",
                     true,
                     [value](const CaseResult& c) {
                       const auto rate = value(c);
                       return rate ? format_rate(*rate) : kNone;
                     }});
}

void add_rates(std::vector<Column>& columns, double flops_unit, bool with_ceiling) {
  columns.push_back({"rows_per_second",
                     [](const CaseResult& c) { return or_null(c.metrics.rows_per_second.value); }, "rows/s",
                     true,
                     [](const CaseResult& c) {
                       const auto& rate = c.metrics.rows_per_second.value;
                       return rate ? format_rate(*rate) : kNone;
                     }});
  add_interval(columns, "rows_per_second",
               [](const CaseResult& c) -> const auto& { return c.metrics.rows_per_second.ci95; });
  columns.push_back({"flops_per_second",
                     [](const CaseResult& c) { return or_null(c.metrics.flops_per_second); },
                     flops_unit == kTera ? "TFLOP/s" : "GFLOP/s", true,
                     [flops_unit](const CaseResult& c) {
                       const auto& rate = c.metrics.flops_per_second;
                       return rate ? base::format_significant(*rate / flops_unit, 3) : kNone;
                     }});
  add_ceiling(columns, with_ceiling);
  columns.push_back(
      {"epoch_seconds", [](const CaseResult& c) { return or_null(c.metrics.epoch_seconds.value); }});
  add_interval(columns, "epoch_seconds",
               [](const CaseResult& c) -> const auto& { return c.metrics.epoch_seconds.ci95; });
  columns.push_back({"epoch_kind", [](const CaseResult& c) { return Value(c.metrics.epoch_seconds.kind); }});
  columns.push_back(
      {"data_wait_share", [](const CaseResult& c) { return or_null(c.metrics.data_wait_share); }});
  columns.push_back(
      {"validation_accuracy", [](const CaseResult& c) { return or_null(c.metrics.validation_accuracy); }});
  columns.push_back({"test_accuracy", [](const CaseResult& c) { return or_null(c.metrics.test_accuracy); }});
  columns.push_back({"energy_joules_per_row",
                     [](const CaseResult& c) { return or_null(c.metrics.energy_joules_per_row); }});
  columns.push_back({"energy_method", [](const CaseResult& c) { return Value(c.metrics.energy_method); }});
}

// The memory that limits a case: the device's own where it has one.
std::optional<std::int64_t> peak_bytes(const Metrics& metrics) {
  return metrics.peak_device_bytes ? metrics.peak_device_bytes : metrics.peak_resident_bytes;
}

void add_sizes(std::vector<Column>& columns) {
  columns.push_back({"parameters", [](const CaseResult& c) { return or_null(c.metrics.parameters); }});
  columns.push_back(
      {"flops_per_step", [](const CaseResult& c) { return or_null(c.metrics.flops_per_step); }});
  columns.push_back({"peak_bytes", [](const CaseResult& c) { return or_null(peak_bytes(c.metrics)); },
                     "peak mem", true,
                     [](const CaseResult& c) {
                       const auto bytes = peak_bytes(c.metrics);
                       return bytes ? base::format_bytes(static_cast<double>(*bytes)) : kNone;
                     }});
  columns.push_back(
      {"peak_device_bytes", [](const CaseResult& c) { return or_null(c.metrics.peak_device_bytes); }});
  columns.push_back(
      {"peak_reserved_bytes", [](const CaseResult& c) { return or_null(c.metrics.peak_reserved_bytes); }});
  columns.push_back(
      {"peak_resident_bytes", [](const CaseResult& c) { return or_null(c.metrics.peak_resident_bytes); }});
}

}  // namespace

std::vector<Column> columns(const schema::Report& report) {
  double fastest = 0;
  for (const CaseResult& result : report.cases) {
    fastest = std::max(fastest, result.metrics.flops_per_second.value_or(0));
  }
  std::vector<Column> all;
  const bool with_engine =
      std::any_of(report.cases.begin(), report.cases.end(),
                  [](const CaseResult& result) { return result.spec.engine != schema::Engine::eager; });
  add_case(all, with_engine);
  add_step(all);
  add_latency(all);
  const auto has = [&report](std::optional<double> Metrics::* metric) {
    return std::any_of(report.cases.begin(), report.cases.end(),
                       [metric](const CaseResult& result) { return (result.metrics.*metric).has_value(); });
  };
  add_loop(all, has(&Metrics::loop_seconds));
  add_rates(all, fastest >= kTera ? kTera : kGiga, has(&Metrics::ceiling_share));
  add_value(all, has(&Metrics::rows_per_second_per_1000_dollars));
  add_sizes(all);
  all.push_back(
      {"flags", [](const CaseResult& c) { return Value(joined(c.flags)); }, "flags", false, remarks});
  all.push_back({"definition_sha256", [](const CaseResult& c) { return Value(c.definition_sha256); }});
  return all;
}

std::string cell_text(const Column& column, const CaseResult& result) {
  if (column.text) return column.text(result);
  const Value value = column.value(result);
  return std::holds_alternative<std::monostate>(value) ? kNone : plain_text(value);
}

std::string plain_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return std::to_string(*count);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return "";
}

std::string remarks(const CaseResult& result) {
  std::string words = failure_words(result.status, result.failure);
  const std::string flags = joined(result.flags);
  return words + (words.empty() || flags.empty() ? "" : ", ") + flags;
}

std::string failure_words(schema::Status status, const std::optional<schema::Failure>& failure) {
  using schema::Status;
  static const std::vector<std::pair<Status, std::string>> kWords{
      {Status::oom, "out of memory"},         {Status::timeout, "timed out"}, {Status::crashed, "crashed"},
      {Status::unsupported, "not supported"}, {Status::failed, "failed"},     {Status::skipped, "skipped"},
      {Status::interrupted, "interrupted"}};
  const auto found =
      std::find_if(kWords.begin(), kWords.end(), [&](const auto& entry) { return entry.first == status; });
  if (found == kWords.end()) return "";
  const std::string message = failure ? failure->message : "";
  if (message.empty()) return found->second;
  return message.rfind(found->second, 0) == 0 ? message : found->second + " (" + message + ")";
}

std::string format_noise(double relative_half_width) {
  const double percent = relative_half_width * 100;
  if (percent >= 999.5) return "±>999 %";
  return fmt::format("±{:.{}f} %", percent, percent < 9.95 ? 1 : 0);
}

std::string with_interval(double median, const std::optional<Interval>& interval) {
  std::string text = base::format_duration(median);
  if (!interval || median <= 0) return text + " ±?";
  return text + " " + format_noise((interval->high - interval->low) / 2 / median);
}

std::string format_rate(double rate) {
  const std::string digits = base::format_significant(rate, 4);
  const auto whole = base::parse_whole_number(digits);
  return whole ? base::format_count(*whole) : digits;
}

}  // namespace mpsbench::output
