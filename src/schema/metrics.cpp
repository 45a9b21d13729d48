#include "schema/metrics.hpp"

#include "schema/optional_json.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>
#include <vector>

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const std::optional<Interval>& interval) {
  return interval ? ordered_json{interval->low, interval->high} : ordered_json(nullptr);
}

std::optional<Interval> read_interval(const base::Reader& reader) {
  if (reader.is_null()) return std::nullopt;
  const std::vector<double> bounds = reader.numbers();
  if (bounds.size() != 2 || bounds[0] > bounds[1]) throw reader.error("expected [low, high]");
  return Interval{bounds[0], bounds[1]};
}

ordered_json to_json(const TimeMetrics& time) {
  return {{"median", or_null(time.median)}, {"mean", or_null(time.mean)}, {"stddev", or_null(time.stddev)},
          {"min", or_null(time.min)},       {"max", or_null(time.max)},   {"p90", or_null(time.p90)},
          {"p99", or_null(time.p99)},       {"ci95", to_json(time.ci95)}, {"count", time.count}};
}

TimeMetrics read_time_metrics(base::Reader reader) {
  TimeMetrics time;
  const std::array<std::pair<const char*, std::optional<double>*>, 7> fields{{{"median", &time.median},
                                                                              {"mean", &time.mean},
                                                                              {"stddev", &time.stddev},
                                                                              {"min", &time.min},
                                                                              {"max", &time.max},
                                                                              {"p90", &time.p90},
                                                                              {"p99", &time.p99}}};
  for (const auto& [key, field] : fields) *field = number_or_null(reader.at(key));
  time.ci95 = read_interval(reader.at("ci95"));
  time.count = read_count(reader.at("count"));
  reader.done();
  return time;
}

ValueMetric read_value_metric(base::Reader reader) {
  ValueMetric metric{number_or_null(reader.at("value")), read_interval(reader.at("ci95"))};
  reader.done();
  return metric;
}

EpochMetric read_epoch_metric(base::Reader reader) {
  EpochMetric metric{number_or_null(reader.at("value")), read_interval(reader.at("ci95")),
                     reader.at("kind").string()};
  if (metric.kind != "measured" && metric.kind != "projected") {
    throw reader.at("kind").error("expected measured or projected");
  }
  reader.done();
  return metric;
}

}  // namespace

ordered_json to_json(const Metrics& metrics) {
  return {
      {"step_seconds", to_json(metrics.step_seconds)},
      {"latency_seconds", to_json(metrics.latency_seconds)},
      {"rows_per_second",
       {{"value", or_null(metrics.rows_per_second.value)}, {"ci95", to_json(metrics.rows_per_second.ci95)}}},
      {"epoch_seconds",
       {{"value", or_null(metrics.epoch_seconds.value)},
        {"ci95", to_json(metrics.epoch_seconds.ci95)},
        {"kind", metrics.epoch_seconds.kind}}},
      {"loop_seconds", or_null(metrics.loop_seconds)},
      {"rows_per_second_per_1000_dollars", or_null(metrics.rows_per_second_per_1000_dollars)},
      {"parameters", or_null(metrics.parameters)},
      {"trainable_parameters", or_null(metrics.trainable_parameters)},
      {"flops_per_step", or_null(metrics.flops_per_step)},
      {"flops_per_second", or_null(metrics.flops_per_second)},
      {"bytes_per_second", or_null(metrics.bytes_per_second)},
      {"ceiling_share", or_null(metrics.ceiling_share)},
      {"peak_device_bytes", or_null(metrics.peak_device_bytes)},
      {"peak_reserved_bytes", or_null(metrics.peak_reserved_bytes)},
      {"peak_resident_bytes", or_null(metrics.peak_resident_bytes)},
      {"live_bytes_per_step", or_null(metrics.live_bytes_per_step)},
      {"data_wait_share", or_null(metrics.data_wait_share)},
      {"validation_accuracy", or_null(metrics.validation_accuracy)},
      {"test_accuracy", or_null(metrics.test_accuracy)},
      {"energy_joules_per_row", or_null(metrics.energy_joules_per_row)},
      {"energy_method", metrics.energy_method}};
}

Metrics read_metrics(base::Reader reader) {
  Metrics metrics;
  metrics.step_seconds = read_time_metrics(reader.at("step_seconds"));
  metrics.latency_seconds = read_time_metrics(reader.at("latency_seconds"));
  metrics.rows_per_second = read_value_metric(reader.at("rows_per_second"));
  metrics.epoch_seconds = read_epoch_metric(reader.at("epoch_seconds"));
  if (const auto loop = reader.find("loop_seconds")) metrics.loop_seconds = loop->number();
  if (const auto value = reader.find("rows_per_second_per_1000_dollars"))
    metrics.rows_per_second_per_1000_dollars = value->number();
  metrics.parameters = count_or_null(reader.at("parameters"));
  metrics.trainable_parameters = count_or_null(reader.at("trainable_parameters"));
  metrics.flops_per_step = count_or_null(reader.at("flops_per_step"));
  metrics.flops_per_second = number_or_null(reader.at("flops_per_second"));
  metrics.bytes_per_second = number_or_null(reader.at("bytes_per_second"));
  metrics.ceiling_share = number_or_null(reader.at("ceiling_share"));
  metrics.peak_device_bytes = count_or_null(reader.at("peak_device_bytes"));
  metrics.peak_reserved_bytes = count_or_null(reader.at("peak_reserved_bytes"));
  metrics.peak_resident_bytes = count_or_null(reader.at("peak_resident_bytes"));
  if (const auto slope = reader.find("live_bytes_per_step")) metrics.live_bytes_per_step = slope->number();
  metrics.data_wait_share = number_or_null(reader.at("data_wait_share"));
  if (const auto accuracy = reader.find("validation_accuracy"))
    metrics.validation_accuracy = accuracy->number(0, 1);
  if (const auto accuracy = reader.find("test_accuracy")) metrics.test_accuracy = accuracy->number(0, 1);
  metrics.energy_joules_per_row = number_or_null(reader.at("energy_joules_per_row"));
  const auto method = reader.find("energy_method");
  metrics.energy_method = method ? method->string() : "none";
  reader.done();
  return metrics;
}

}  // namespace mpsbench::schema
