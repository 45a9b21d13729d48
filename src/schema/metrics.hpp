// The metrics of a case. The front computes them from the launches' raw samples; null means "not available".
#pragma once

#include "base/json_reader.hpp"
#include "schema/field_json.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::schema {

struct Interval {
  double low = 0;
  double high = 0;
};

template <>
struct Json<Interval> {
  static nlohmann::ordered_json write(const Interval& interval) { return {interval.low, interval.high}; }
  static Interval read(const base::Reader& reader, const FieldInfo&) {
    const std::vector<double> bounds = reader.numbers();
    if (bounds.size() != 2 || bounds[0] > bounds[1]) throw reader.error("expected [low, high]");
    return Interval{bounds[0], bounds[1]};
  }
  static nlohmann::ordered_json schema(const FieldInfo&) {
    return {{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 2}, {"maxItems", 2}};
  }
};

// Percentiles by percentile_key(): "99.9".
using Percentiles = std::map<std::string, std::optional<double>>;

inline constexpr const char* kCi95 = "95 % confidence interval, [low, high].";

// The distribution of step times or latencies over a case's good launches.
struct TimeMetrics {
  std::optional<double> median, mean, stddev, min, max, p90, p99;
  std::optional<Interval> ci95;
  std::int64_t count = 0;
  Percentiles percentiles;  // those of --percentiles
};

inline constexpr Field<TimeMetrics, std::optional<double>, std::optional<Interval>, std::int64_t, Percentiles>
    kTimeFields[] = {
        {"median", &TimeMetrics::median, {"Median over launches of each launch's median.", "s"}},
        {"mean", &TimeMetrics::mean, {"Mean of all samples.", "s"}},
        {"stddev", &TimeMetrics::stddev, {"Standard deviation of all samples.", "s"}},
        {"min", &TimeMetrics::min, {"Least of all samples.", "s"}},
        {"max", &TimeMetrics::max, {"Greatest of all samples.", "s"}},
        {"p90", &TimeMetrics::p90, {"90th percentile of single steps; null for fewer than 64 steps.", "s"}},
        {"p99", &TimeMetrics::p99, {"99th percentile of single steps; null for fewer than 662 steps.", "s"}},
        {"ci95", &TimeMetrics::ci95, {kCi95, "s"}},
        {"count", &TimeMetrics::count, {"Number of samples."}},
        {"percentiles",
         &TimeMetrics::percentiles,
         {.meaning = "Percentiles that --percentiles asked for, such as \"99.9\"; null if there are too few "
                     "single steps.",
          .unit = "s",
          .is_absent_when_empty = true}},
};

template <>
struct Json<TimeMetrics> : ObjectJson<TimeMetrics, kTimeFields> {};

struct ValueMetric {
  std::optional<double> value;
  std::optional<Interval> ci95;
};

inline constexpr Field<ValueMetric, std::optional<double>, std::optional<Interval>> kValueFields[] = {
    {"value", &ValueMetric::value, {"Value of the median launch."}},
    {"ci95", &ValueMetric::ci95, {kCi95}},
};

template <>
struct Json<ValueMetric> : ObjectJson<ValueMetric, kValueFields> {};

// What a rate is of.
inline constexpr const char* kOfMedianStep = "median-step";
inline constexpr const char* kOfMeanStep = "mean-step";  // published figures without a median
inline constexpr const char* kOfEpochs = "epochs";       // all rows of the epochs over their time
inline constexpr const char* kOfLoop = "loop";           // all rows of the iterations over their time

inline constexpr const char* kRateKinds[] = {kOfMedianStep, kOfMeanStep, kOfEpochs, kOfLoop};

struct RateMetric {
  std::optional<double> value;
  std::optional<Interval> ci95;
  std::string kind = kOfMedianStep;
};

inline constexpr Field<RateMetric, std::optional<double>, std::optional<Interval>, std::string> kRateFields[] = {
    {"value", &RateMetric::value, {"Rows per second."}},
    {"ci95", &RateMetric::ci95, {kCi95}},
    {"kind",
     &RateMetric::kind,
     {.meaning = "What it is of: the median step; the mean step, if only that was published; or all rows of the "
                 "measured epochs or of the loop, divided by their time.",
      .words = kRateKinds}},
};

template <>
struct Json<RateMetric> : ObjectJson<RateMetric, kRateFields> {};

inline constexpr const char* kEpochKinds[] = {"measured", "projected"};

struct EpochMetric {
  std::optional<double> value;
  std::optional<Interval> ci95;
  std::string kind;  // "measured" or "projected"
};

inline constexpr Field<EpochMetric, std::optional<double>, std::optional<Interval>, std::string> kEpochMetricFields[] =
    {
        {"value",
         &EpochMetric::value,
         {"A measured epoch's: that of the median launch. A projected one's: the mean step times its steps.", "s"}},
        {"ci95", &EpochMetric::ci95, {"[low, high] that contains one more launch with 95 % confidence.", "s"}},
        {"kind",
         &EpochMetric::kind,
         {.meaning = "Whether a whole epoch was measured or is projected from the mean step.", .words = kEpochKinds}},
};

template <>
struct Json<EpochMetric> : ObjectJson<EpochMetric, kEpochMetricFields> {};

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

// The metrics, in the order in which they appear in a report.
using MetricField = Field<Metrics, TimeMetrics, ValueMetric, RateMetric, EpochMetric, std::optional<double>,
                          std::optional<std::int64_t>, std::string>;

inline constexpr MetricField kMetricFields[] = {
    {"step_seconds", &Metrics::step_seconds, {"Time of a step.", "s"}},
    {"latency_seconds",
     &Metrics::latency_seconds,
     {"Time of a step with a synchronise after it; inference only.", "s"}},
    {"drift_ratio",
     &Metrics::drift_ratio,
     {"Mean of the last tenth of a launch's samples divided by that of the first tenth; median over "
      "launches.",
      "1"}},
    {"rows_per_second",
     &Metrics::rows_per_second,
     {"Rows processed per second, by the median step or, if epochs or a loop were measured as a whole, by "
      "their "
      "time.",
      "1/s"}},
    {"mean_rows_per_second",
     &Metrics::mean_rows_per_second,
     {"The same by the mean step, in which slow steps count.", "1/s"}},
    {"epoch_seconds", &Metrics::epoch_seconds, {"Time for all rows of the data set once.", "s"}},
    {"projected_epochs_seconds",
     &Metrics::projected_epochs_seconds,
     {"Projected time of the --epochs-projected epochs; training only. The interval is for one more "
      "launch.",
      "s"}},
    {"loop_seconds", &Metrics::loop_seconds, {"Time for all of --iterations; median over launches.", "s"}},
    {"training_seconds",
     &Metrics::training_seconds,
     {"Time of all --epochs with their evaluations on the training and validation parts; median over "
      "launches.",
      "s"}},
    {"test_seconds",
     &Metrics::test_seconds,
     {"Time of the evaluation on the test part after the last epoch; median over launches.", "s"}},
    {"total_seconds",
     &Metrics::total_seconds,
     {"training_seconds and test_seconds together; median over launches.", "s"}},
    {"forward_seconds",
     &Metrics::forward_seconds,
     {"Part of a training step: zeroing gradients, forward pass and loss; median over launches.", "s"}},
    {"backward_seconds",
     &Metrics::backward_seconds,
     {"Part of a training step: backward pass, and what is done to gradients; median over launches.", "s"}},
    {"update_seconds",
     &Metrics::update_seconds,
     {"Part of a training step: the optimizer; median over launches.", "s"}},
    {"scaling_efficiency",
     &Metrics::scaling_efficiency,
     {"rows_per_second of N processes divided by N times that of one process in the same report.", "1"}},
    {"communication_exposed_seconds",
     &Metrics::communication_exposed_seconds,
     {"Part of a training step that waits for the averages of gradients; median over launches.", "s"}},
    {"communication_hidden_seconds",
     &Metrics::communication_hidden_seconds,
     {"Time of averaging gradients while the step computes; median over launches.", "s"}},
    {"communication_ceiling_share",
     &Metrics::communication_ceiling_share,
     {"Rate at which gradients are averaged, divided by that of all-reduce (host.ceilings) between as "
      "many devices.",
      "1"}},
    {"rows_per_second_per_1000_dollars",
     &Metrics::rows_per_second_per_1000_dollars,
     {"rows_per_second for each 1000 dollars of the machine's price.", "1/s"}},
    {"parameters", &Metrics::parameters, {"Number of the network's parameters."}},
    {"trainable_parameters", &Metrics::trainable_parameters, {"Number of parameters that a step updates."}},
    {"flops_per_step",
     &Metrics::flops_per_step,
     {"Floating-point operations per step; a multiply-accumulate counts as 2.", "FLOP"}},
    {"flops_per_second",
     &Metrics::flops_per_second,
     {"Floating-point operations per second: rows_per_second times those of a row.", "FLOP/s"}},
    {"bytes_per_second",
     &Metrics::bytes_per_second,
     {"Least memory traffic per second, at rows_per_second: weights, inputs and, in training, kept "
      "activations "
      "pass once a step.",
      "B/s"}},
    {"ceiling_share",
     &Metrics::ceiling_share,
     {"flops_per_second divided by the fastest matrix product's rate (host.ceilings) for this device and "
      "precision; may exceed 1.",
      "1"}},
    {"peak_device_bytes", &Metrics::peak_device_bytes, {"Peak memory of tensors on the device.", "B"}},
    {"peak_reserved_bytes", &Metrics::peak_reserved_bytes, {"Peak memory that the device's allocator reserved.", "B"}},
    {"peak_resident_bytes", &Metrics::peak_resident_bytes, {"Peak memory of the process.", "B"}},
    {"live_bytes_per_step",
     &Metrics::live_bytes_per_step,
     {"Growth of the memory in use per step; near 0 unless memory leaks.", "B"}},
    {"data_wait_share",
     &Metrics::data_wait_share,
     {"The share of a step's time that would be saved if its batch were already on the device.", "1"}},
    {"training_accuracy",
     &Metrics::training_accuracy,
     {"Share of training rows that are classified correctly after the last epoch.", "1", kShare}},
    {"validation_accuracy",
     &Metrics::validation_accuracy,
     {"Share of validation rows that are classified correctly after the last epoch.", "1", kShare}},
    {"test_accuracy",
     &Metrics::test_accuracy,
     {"Share of test rows that are classified correctly after the last epoch.", "1", kShare}},
    {"energy_joules_per_row",
     &Metrics::energy_joules_per_row,
     {"Energy of the measured part of the launches, including what the machine draws when idle.", "J"}},
    {"energy_method",
     &Metrics::energy_method,
     {"The energy counter: \"rapl package\", \"rapl package and dram\", \"nvml\" or \"none\"."}},
};

template <>
struct Json<Metrics> : ObjectJson<Metrics, kMetricFields, "metrics"> {};

// Returns the key of a percentile in Percentiles: "99.9" for 99.9, "50" for 50.
[[nodiscard]] std::string percentile_key(double percent);

}  // namespace mpsbench::schema
