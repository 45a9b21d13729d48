#include "output/text/metric_columns.hpp"

#include "base/units.hpp"

#include <fmt/core.h>

#include <optional>
#include <string_view>
#include <utility>

namespace mpsbench::output {
namespace {

using schema::CaseResult;
using schema::EpochMetric;
using schema::Interval;
using schema::Metrics;
using schema::RateMetric;
using schema::TimeMetrics;
using schema::ValueMetric;

template <typename T>
Value value_of(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

Value value_of(const Value& value) {
  return value;
}

Value bound_of(const std::optional<Interval>& interval, double Interval::* bound) {
  return interval ? Value((*interval).*bound) : Value();
}

// Adds the columns of one metric, depending on its type.
class Adder {
 public:
  Adder(std::vector<Column>& columns, const schema::MetricField& metric)
      : columns_(&columns), key_(metric.key), unit_(metric.about.unit) {}

  void operator()(TimeMetrics Metrics::* time) const {
    add_with_interval(time, &TimeMetrics::median);
    add(stem() + "_count", [time](const Metrics& m) { return Value((m.*time).count); }, "");
    for (const auto& [name, figure] : {std::pair{"mean", &TimeMetrics::mean},
                                       {"stddev", &TimeMetrics::stddev},
                                       {"min", &TimeMetrics::min},
                                       {"max", &TimeMetrics::max},
                                       {"p90", &TimeMetrics::p90},
                                       {"p99", &TimeMetrics::p99}}) {
      add(
          fmt::format("{}_{}_seconds", stem(), name),
          [time, member = figure](const Metrics& m) { return (m.*time).*member; }, unit_);
    }
  }
  void operator()(ValueMetric Metrics::* value) const { add_with_interval(value, &ValueMetric::value); }
  void operator()(RateMetric Metrics::* rate) const { add_with_kind(rate, key_); }
  void operator()(EpochMetric Metrics::* epoch) const { add_with_kind(epoch, stem()); }
  void operator()(std::string Metrics::* text) const {
    add(key_, [text](const Metrics& m) { return Value(m.*text); }, "");
  }
  template <typename T>
  void operator()(std::optional<T> Metrics::* figure) const {
    add(key_, [figure](const Metrics& m) { return m.*figure; }, unit_);
  }

 private:
  // Returns the key without its unit: "step" for "step_seconds".
  [[nodiscard]] std::string stem() const { return key_.substr(0, key_.rfind('_')); }

  template <typename Get>
  void add(const std::string& key, Get&& get, const char* unit) const {
    const auto value = [get](const CaseResult& c) { return value_of(get(c.metrics)); };
    columns_->push_back({.key = key, .value = value, .text = [value, unit](const CaseResult& c) {
                           return text_in_unit(value(c), unit);
                         }});
  }

  template <typename Group>
  void add_with_interval(Group Metrics::* group, std::optional<double> Group::* middle) const {
    add(key_, [group, middle](const Metrics& m) { return (m.*group).*middle; }, unit_);
    for (const auto& [end, bound] : {std::pair{"_low", &Interval::low}, {"_high", &Interval::high}})
      add(key_ + end, [group, side = bound](const Metrics& m) { return bound_of((m.*group).ci95, side); }, unit_);
  }

  template <typename Group>
  void add_with_kind(Group Metrics::* group, const std::string& stem) const {
    add_with_interval(group, &Group::value);
    add(stem + "_kind", [group](const Metrics& m) { return Value((m.*group).kind); }, "");
  }

  std::vector<Column>* columns_;
  std::string key_;
  const char* unit_;
};

std::string number_in_unit(double number, std::string_view unit) {
  if (unit == "s") return base::format_duration(number);
  if (unit == "1/s") return format_rate(number);
  if (unit == "1") return fmt::format("{:.{}f} %", number * 100, number < 0.0995 ? 1 : 0);
  return base::format_significant(number, 4);
}

}  // namespace

void add_metric_columns(std::vector<Column>& columns, const schema::MetricField& metric) {
  std::visit(Adder(columns, metric), metric.member);
}

std::string text_in_unit(const Value& value, std::string_view unit) {
  if (std::holds_alternative<std::monostate>(value)) return "–";
  if (unit == "B" && std::holds_alternative<std::int64_t>(value))
    return base::format_bytes(static_cast<double>(std::get<std::int64_t>(value)));
  return std::holds_alternative<double>(value) ? number_in_unit(std::get<double>(value), unit) : plain_text(value);
}

}  // namespace mpsbench::output
