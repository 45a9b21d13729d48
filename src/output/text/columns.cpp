#include "output/text/columns.hpp"

#include "base/units.hpp"
#include "output/text/cases.hpp"
#include "output/text/figures.hpp"
#include "report/metrics/counted_launches.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace mpsbench::output {
namespace {

using schema::CaseResult;
using schema::CaseSpec;
using schema::Interval;
using schema::Metrics;
using schema::TimeMetrics;

constexpr double kGiga = 1e9;
constexpr double kTera = 1e12;
constexpr const char* kPeak = "peak_bytes";
constexpr std::string_view kProjected = "projected_epochs_seconds";

// The order of the columns, and the headings of those that tables for people show. The other columns of a
// metric follow it. Metrics that are not listed here come last, in the order of their own table.
struct Placed {
  std::string_view key;
  const char* title = "";
  bool where_known = false;  // shown only if a case has it
};
constexpr Placed kPlaced[] = {{"step_seconds", "step"},
                              {"latency_seconds"},
                              {"first_token_seconds", "first token", true},
                              {"loop_seconds", "loop", true},
                              {"rows_per_second", "rows/s"},
                              {"tokens_per_second", "tokens/s", true},
                              {"prefill_tokens_per_second", "prefill/s", true},
                              {"mean_rows_per_second"},
                              {"scaling_efficiency", "efficiency", true},
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

// What the page offers to draw, in its order.
constexpr DrawnColumn kDrawn[] = {{"rows_per_second", "Rows a second", "1/s", true, true},
                                  {"tokens_per_second", "Tokens a second", "1/s", true, true},
                                  {"prefill_tokens_per_second", "Tokens of prompts a second", "1/s", true, true},
                                  {"first_token_seconds", "Time to the first token", "s", false, true},
                                  {"step_seconds", "Time a step", "s", false, true},
                                  {"latency_seconds", "Latency", "s", false, true},
                                  {"epoch_seconds", "Minutes an epoch", "min"},
                                  {kPeak, "Peak memory", "B", false, true},
                                  {"energy_joules_per_row", "Energy a row", "J", false, true},
                                  {"energy_joules_per_token", "Energy a token", "J", false, true},
                                  {"ceiling_share", "Share of the ceiling", "1", true},
                                  {"scaling_efficiency", "Scaling efficiency", "1", true}};

template <typename T>
Value value_of(const T& value) {
  if constexpr (std::is_constructible_v<Value, T>)
    return Value(value);
  else
    return Value(to_string(value));
}

template <typename T>
Value value_of(const std::optional<T>& value) {
  return value ? value_of(*value) : Value();
}

template <auto Member>
Value spec(const CaseResult& result) {
  return value_of(result.spec.*Member);
}

bool is_known(const Value& value) {
  return !std::holds_alternative<std::monostate>(value);
}

std::vector<Column> case_columns() {
  return {
      {"id", [](const CaseResult& c) { return Value(c.id); }},
      {"model", spec<&CaseSpec::model>, "model", false, [](const CaseResult& c) { return model_text(c.spec); }},
      {"mode", spec<&CaseSpec::mode>, "mode", false},
      {"device", spec<&CaseSpec::device>, "device", false},
      {"precision", spec<&CaseSpec::precision>, "prec", false},
      {"batch_size", spec<&CaseSpec::batch_size>, "batch"},
      {"engine", spec<&CaseSpec::engine>, "", false},
      {"dataset", spec<&CaseSpec::dataset>},
      {"prompt", spec<&CaseSpec::prompt>},
      {"generate", spec<&CaseSpec::generate>},
      {"depth", spec<&CaseSpec::depth>},
      {"threads", spec<&CaseSpec::threads>},
      {.key = "interop_threads", .value = spec<&CaseSpec::interop_threads>, .is_late = true},
      {.key = "affinity", .value = spec<&CaseSpec::affinity>, .right = false, .is_late = true},
      {.key = "ranks", .value = spec<&CaseSpec::ranks>, .is_late = true},
      {.key = "scaling",
       .value = [](const CaseResult& c) { return c.spec.ranks > 1 ? spec<&CaseSpec::scaling>(c) : Value(); },
       .right = false,
       .is_late = true},
      {"status", [](const CaseResult& c) { return value_of(c.status); }},
      {"failure", [](const CaseResult& c) { return Value(c.failure ? c.failure->message : ""); }},
      {"launches", [](const CaseResult& c) { return Value(std::ssize(c.launches)); }},
      {"disturbed_launches",
       [](const CaseResult& c) {
         return Value(static_cast<std::int64_t>(report::launch_counts(c.launches).disturbed));
       }},
  };
}

Column in_unit(std::string key, std::function<Value(const CaseResult&)> value, std::string_view unit) {
  const auto text = [value, unit](const CaseResult& c) { return text_in_unit(value(c), unit); };
  return {.key = std::move(key), .value = std::move(value), .text = text};
}

// Adds a metric's own column, followed by those of its interval and distribution: "step_seconds",
// "step_seconds_low", ..., "step_p90_seconds".
struct MetricColumns {
  std::vector<Column>& columns;
  const schema::MetricField& metric;
  const std::vector<double>& percentiles;  // that the run asked for

  // The key without its unit: "step" for "step_seconds".
  [[nodiscard]] std::string stem() const {
    const std::string key = metric.key;
    return key.substr(0, key.rfind('_'));
  }

  template <typename Get>
  void add(const std::string& key, const Get& get, std::string_view unit) const {
    columns.push_back(in_unit(key, [get](const CaseResult& c) { return value_of(get(c.metrics)); }, unit));
  }

  template <typename Group>
  void add_with_interval(Group Metrics::* group, std::optional<double> Group::* middle) const {
    add(metric.key, [=](const Metrics& m) { return (m.*group).*middle; }, metric.about.unit);
    for (const auto& [end, bound] : {std::pair{"_low", &Interval::low}, {"_high", &Interval::high}}) {
      const auto get = [group, side = bound](const Metrics& m) {
        const auto& interval = (m.*group).ci95;
        return interval ? std::optional((*interval).*side) : std::nullopt;
      };
      add(std::string(metric.key) + end, get, metric.about.unit);
    }
  }

  template <typename Group>
  void add_with_kind(Group Metrics::* group, const std::string& name) const {
    add_with_interval(group, &Group::value);
    add(name + "_kind", [group](const Metrics& m) { return (m.*group).kind; }, "");
  }

  // The 90th, the 99th and those that the run asked for, in rising order. People see those of the step or, if a sample
  // is a whole sequence, of the latency of its tokens.
  void add_percentiles(TimeMetrics Metrics::* time) const {
    std::set<double> all(percentiles.begin(), percentiles.end());
    all.insert({90, 99});
    for (const double percent : all) {
      const std::string name = base::number_text(percent);
      const auto get = [=](const TimeMetrics& of) {
        if (percent == 90) return of.p90;
        if (percent == 99) return of.p99;
        const auto found = of.percentiles.find(name);
        return found != of.percentiles.end() ? found->second : std::nullopt;
      };
      add(fmt::format("{}_p{}_seconds", stem(), name), [=](const Metrics& m) { return get(m.*time); }, "s");
      const bool is_wanted = percent == 90 || std::ranges::find(percentiles, percent) != percentiles.end();
      if (time != &Metrics::step_seconds || !is_wanted) continue;
      columns.back().title = "p" + name;
      columns.back().text = [get](const CaseResult& c) {
        const bool generates = row_of(c.spec.mode).generates;
        return text_in_unit(value_of(get(generates ? c.metrics.latency_seconds : c.metrics.step_seconds)), "s");
      };
    }
  }

  void operator()(TimeMetrics Metrics::* time) const {
    add_with_interval(time, &TimeMetrics::median);
    add(stem() + "_count", [time](const Metrics& m) { return (m.*time).count; }, "");
    for (const auto& [name, figure] : {std::pair{"mean", &TimeMetrics::mean},
                                       {"stddev", &TimeMetrics::stddev},
                                       {"min", &TimeMetrics::min},
                                       {"max", &TimeMetrics::max}})
      add(
          fmt::format("{}_{}_seconds", stem(), name),
          [time, member = figure](const Metrics& m) { return (m.*time).*member; }, "s");
    add_percentiles(time);
  }
  void operator()(schema::ValueMetric Metrics::* value) const { add_with_interval(value, &schema::ValueMetric::value); }
  void operator()(schema::RateMetric Metrics::* rate) const { add_with_kind(rate, metric.key); }
  void operator()(schema::EpochMetric Metrics::* epoch) const { add_with_kind(epoch, stem()); }
  template <typename T>
  void operator()(T Metrics::* figure) const {
    add(metric.key, [figure](const Metrics& m) { return m.*figure; }, metric.about.unit);
  }
};

void add_metric(std::vector<Column>& columns, const schema::MetricField& metric, const schema::Report& report) {
  metric.member.visit(MetricColumns{columns, metric, report.run.percentiles});
}

Column& column_of(std::vector<Column>& columns, std::string_view key) {
  const auto found = std::ranges::find(columns, key, &Column::key);
  if (found == columns.end()) throw std::logic_error("no column " + std::string(key));
  return *found;
}

void add_placed(std::vector<Column>& columns, const Placed& placed, const schema::Report& report) {
  const std::size_t at = columns.size();
  if (placed.key == kPeak) {
    const auto bytes = [](const CaseResult& c) { return value_of(report::peak_bytes(c.metrics)); };
    columns.push_back(in_unit(kPeak, bytes, "B"));
  } else {
    const auto metric = std::ranges::find(schema::kMetricFields, placed.key, &schema::MetricField::key);
    add_metric(columns, *metric, report);
  }
  Column& own = columns[at];
  if (!placed.where_known || std::ranges::any_of(report.cases, is_known, own.value)) own.title = placed.title;
}

void add_last(std::vector<Column>& columns, const schema::Report& report) {
  // The speed-up over the CPU that was published in place of a time.
  const auto speed_up = [](const CaseResult& c) { return c.published ? value_of(c.published->speed_up) : Value(); };
  columns.push_back({.key = "published_speed_up",
                     .value = speed_up,
                     .title = std::ranges::any_of(report.cases, is_known, speed_up) ? "speed-up" : "",
                     .text =
                         [speed_up](const CaseResult& c) {
                           const Value value = speed_up(c);
                           return is_known(value) ? format_times(std::get<double>(value)) : kNone;
                         },
                     .is_late = true});
  const auto flags = [](const CaseResult& c) { return Value(fmt::format("{}", fmt::join(c.flags, " "))); };
  columns.push_back({"flags", flags, "flags", false, remarks});
  columns.push_back({"definition_sha256", [](const CaseResult& c) { return Value(c.definition_sha256); }});
}

// Gives a title to what differs between the cases.
void set_case_titles(std::vector<Column>& columns, const schema::Report& report) {
  const auto show_if = [&](bool is_shown, const char* key, const char* title) {
    if (is_shown) column_of(columns, key).title = title;
  };
  const auto any = [&report](const auto& is) { return std::ranges::any_of(report.cases, is, &CaseResult::spec); };
  const auto differs = [&](auto member) {
    return any([&](const CaseSpec& spec) { return spec.*member != report.cases.front().spec.*member; });
  };
  show_if(any([](const CaseSpec& spec) { return spec.engine != schema::Engine::eager; }), "engine", "engine");
  for (const bool are_gpus : {true, false})
    show_if(any([=](const CaseSpec& spec) { return spec.ranks != 1 && spec.device.row().one_a_rank == are_gpus; }),
            "ranks", are_gpus ? "GPUs" : "ranks");
  // Processes that share the cores have fewer threads by default, which the number of processes tells.
  std::map<std::int64_t, std::int64_t> threads;  // by number of processes
  show_if(any([&threads](const CaseSpec& spec) {
            return threads.try_emplace(spec.ranks, spec.threads).first->second != spec.threads;
          }),
          "threads", "threads");
  show_if(differs(&CaseSpec::interop_threads), "interop_threads", "inter-op");
  show_if(differs(&CaseSpec::affinity), "affinity", "CPUs");
  const bool generates = any([](const CaseSpec& spec) { return row_of(spec.mode).generates; });
  for (const char* key : {"prompt", "generate", "depth"}) show_if(generates, key, key);
  if (std::ranges::all_of(report.cases, [](const CaseResult& c) { return row_of(c.spec.mode).generates; }) && generates)
    column_of(columns, "rows_per_second").title = "";
}

// Sets the titles and texts of metrics that are not only a number in a unit.
void set_metric_texts(std::vector<Column>& columns, const schema::Report& report) {
  if (Column& projected = column_of(columns, kProjected); report.run.epochs_projected && !projected.title.empty())
    projected.title = base::counted(*report.run.epochs_projected, "epoch", "epochs");
  column_of(columns, "step_seconds").text = step_text;
  column_of(columns, "rows_per_second").text = [](const CaseResult& c) {
    const schema::RateMetric& rate = c.metrics.rows_per_second;
    return rate.value ? format_rate(*rate.value) + rate_mark(rate) : kNone;
  };
  // In GFLOP/s, or in TFLOP/s if a case reaches 1 TFLOP/s.
  const bool are_tera = std::ranges::any_of(
      report.cases, [](const CaseResult& c) { return c.metrics.flops_per_second.value_or(0) >= kTera; });
  Column& flops = column_of(columns, "flops_per_second");
  if (are_tera) flops.title = "TFLOP/s";
  flops.text = [unit = are_tera ? kTera : kGiga](const CaseResult& c) {
    const auto& rate = c.metrics.flops_per_second;
    return rate ? base::format_significant(*rate / unit, 3) : kNone;
  };
}

}  // namespace

std::vector<Column> columns(const schema::Report& report) {
  std::vector<Column> all = case_columns();
  for (const Placed& placed : kPlaced) add_placed(all, placed, report);
  add_last(all, report);
  for (const schema::MetricField& metric : schema::kMetricFields) {
    if (std::ranges::find(kPlaced, metric.key, &Placed::key) == std::end(kPlaced)) add_metric(all, metric, report);
  }
  set_case_titles(all, report);
  set_metric_texts(all, report);
  return all;
}

std::span<const DrawnColumn> drawn_columns() {
  return kDrawn;
}

std::string cell_text(const Column& column, const CaseResult& result) {
  return column.text ? column.text(result) : text_in_unit(column.value(result), "");
}

std::string plain_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return std::to_string(*count);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return "";
}

std::string text_in_unit(const Value& value, std::string_view unit) {
  if (!is_known(value)) return kNone;
  const auto* count = std::get_if<std::int64_t>(&value);
  if (count != nullptr && unit == "B") return base::format_bytes(static_cast<double>(*count));
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return plain_text(value);
  if (unit == "s") return base::format_duration(*number);
  if (unit == "1/s") return format_rate(*number);
  if (unit == "1") return fmt::format("{:.{}f} %", *number * 100, *number < 0.0995 ? 1 : 0);
  return base::format_significant(*number, 4);
}

Grid report_grid(const schema::Report& report, std::size_t widest) {
  std::vector<Column> shown = columns(report);
  std::erase_if(shown, [](const Column& column) { return column.title.empty(); });
  Grid grid;
  for (const Column& column : shown) {
    grid.titles.push_back(column.title);
    grid.right.push_back(column.right);
  }
  for (const CaseResult& result : report.cases) {
    Grid::Row& row = grid.rows.emplace_back();
    row.last = result.status == schema::Status::ok ? Paint::remark : Paint::bad;
    for (const Column& column : shown) row.cells.push_back(truncate(cell_text(column, result), widest));
  }
  return grid;
}

}  // namespace mpsbench::output
