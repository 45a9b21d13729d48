// The metrics of a case. The front computes them from the launches' raw samples; null means "not available".
#pragma once

#include "base/json_reader.hpp"
#include "schema/field.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace mpsbench::schema {

struct Interval {
  double low = 0;
  double high = 0;
};

// Percentiles by percentile_key(): "99.9".
using Percentiles = std::map<std::string, std::optional<double>>;

// The distribution of step times or latencies over a case's good launches.
struct TimeMetrics {
  std::optional<double> median, mean, stddev, min, max, p90, p99;
  std::optional<Interval> ci95;
  std::int64_t count = 0;
  Percentiles percentiles;  // those of --percentiles
};

struct ValueMetric {
  std::optional<double> value;
  std::optional<Interval> ci95;
};

// What a rate is of.
inline constexpr const char* kOfMedianStep = "median-step";
inline constexpr const char* kOfMeanStep = "mean-step";  // published figures without a median
inline constexpr const char* kOfEpochs = "epochs";       // all rows of the epochs over their time
inline constexpr const char* kOfLoop = "loop";           // all rows of the iterations over their time

struct RateMetric {
  std::optional<double> value;
  std::optional<Interval> ci95;
  std::string kind = kOfMedianStep;
};

struct EpochMetric {
  std::optional<double> value;
  std::optional<Interval> ci95;
  std::string kind;  // "measured" or "projected"
};

// metric_fields() says what each member means.
struct Metrics {
  TimeMetrics step_seconds;
  TimeMetrics latency_seconds;
  std::optional<double> drift_ratio;
  RateMetric rows_per_second;
  std::optional<double> mean_rows_per_second;
  EpochMetric epoch_seconds;
  ValueMetric projected_epochs_seconds;
  std::optional<double> loop_seconds;
  std::optional<double> training_seconds;
  std::optional<double> test_seconds;
  std::optional<double> total_seconds;
  std::optional<double> forward_seconds;
  std::optional<double> backward_seconds;
  std::optional<double> update_seconds;
  ValueMetric scaling_efficiency;
  std::optional<double> communication_exposed_seconds;
  std::optional<double> communication_hidden_seconds;
  std::optional<double> communication_ceiling_share;
  std::optional<double> rows_per_second_per_1000_dollars;
  std::optional<std::int64_t> parameters;
  std::optional<std::int64_t> trainable_parameters;
  std::optional<std::int64_t> flops_per_step;
  std::optional<double> flops_per_second;
  std::optional<double> bytes_per_second;
  std::optional<double> ceiling_share;
  std::optional<std::int64_t> peak_device_bytes;
  std::optional<std::int64_t> peak_reserved_bytes;
  std::optional<std::int64_t> peak_resident_bytes;
  std::optional<double> live_bytes_per_step;
  std::optional<double> data_wait_share;
  std::optional<double> training_accuracy;
  std::optional<double> validation_accuracy;
  std::optional<double> test_accuracy;
  std::optional<double> energy_joules_per_row;
  std::string energy_method = "none";
};

using MetricField = Field<Metrics, TimeMetrics, ValueMetric, RateMetric, EpochMetric, std::optional<double>,
                          std::optional<std::int64_t>, std::string>;

// Returns the key of a percentile in Percentiles: "99.9" for 99.9, "50" for 50.
[[nodiscard]] std::string percentile_key(double percent);

// Returns all metrics, in the order in which they appear in a report.
[[nodiscard]] std::span<const MetricField> metric_fields();

[[nodiscard]] nlohmann::ordered_json to_json(const Metrics& metrics);
[[nodiscard]] Metrics read_metrics(base::Reader reader);
// Returns the metrics' part of configs/schema/report.schema.json.
[[nodiscard]] nlohmann::ordered_json metrics_json_schema();

}  // namespace mpsbench::schema
