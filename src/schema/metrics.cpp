#include "schema/metrics.hpp"

#include "schema/field_json.hpp"

#include <cmath>
#include <utility>

namespace mpsbench::schema {

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

template <>
struct Json<Percentiles> {
  static nlohmann::ordered_json write(const Percentiles& percentiles) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const auto& [key, value] : percentiles) object[key] = or_null(value);
    return object;
  }
  static Percentiles read(base::Reader reader, const FieldInfo&) {
    Percentiles percentiles;
    for (const std::string& key : reader.keys()) percentiles[key] = number_or_null(reader.at(key));
    return percentiles;
  }
  static nlohmann::ordered_json schema(const FieldInfo&) {
    return {{"type", "object"}, {"additionalProperties", {{"type", {"number", "null"}}}}};
  }
};

namespace {

using MaybeNumber = std::optional<double>;
using MaybeInterval = std::optional<Interval>;

constexpr const char* kCi95 = "95 % confidence interval, [low, high].";

constexpr Field<TimeMetrics, MaybeNumber, MaybeInterval, std::int64_t, Percentiles> kTimeFields[] = {
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
      .may_be_missing = true,
      .is_absent_when_empty = true}},
};

constexpr Field<ValueMetric, MaybeNumber, MaybeInterval> kValueFields[] = {
    {"value", &ValueMetric::value, {"Value of the median launch."}},
    {"ci95", &ValueMetric::ci95, {kCi95}},
};

constexpr const char* kRateKinds[] = {kOfMedianStep, kOfMeanStep, kOfEpochs, kOfLoop};

constexpr Field<RateMetric, MaybeNumber, MaybeInterval, std::string> kRateFields[] = {
    {"value", &RateMetric::value, {"Rows per second."}},
    {"ci95", &RateMetric::ci95, {kCi95}},
    {"kind",
     &RateMetric::kind,
     {.meaning =
          "What it is of: the median step; the mean step, if only that was published; or all rows of the "
          "measured epochs or of the loop, divided by their time.",
      .may_be_missing = true,
      .words = kRateKinds}},
};

constexpr const char* kEpochKinds[] = {"measured", "projected"};

constexpr Field<EpochMetric, MaybeNumber, MaybeInterval, std::string> kEpochMetricFields[] = {
    {"value",
     &EpochMetric::value,
     {"A measured epoch's: that of the median launch. A projected one's: the mean step times its steps.",
      "s"}},
    {"ci95", &EpochMetric::ci95, {"[low, high] that contains one more launch with 95 % confidence.", "s"}},
    {"kind",
     &EpochMetric::kind,
     {.meaning = "Whether a whole epoch was measured or is projected from the mean step.",
      .words = kEpochKinds}},
};

using M = Metrics;

// The metrics, in the order in which they appear in a report.
constexpr MetricField kMetricFields[] = {
    {"step_seconds", &M::step_seconds, {.meaning = "Time of a step.", .unit = "s", .axis = "time a step"}},
    {"latency_seconds",
     &M::latency_seconds,
     {"Time of a step with a synchronise after it; inference only.", "s"}},
    {"drift_ratio", &M::drift_ratio,
     late({"Mean of the last tenth of a launch's samples divided by that of the first tenth; median over "
           "launches.",
           "1"})},
    {"rows_per_second",
     &M::rows_per_second,
     {"Rows processed per second, by the median step or, if epochs or a loop were measured as a whole, by "
      "their "
      "time.",
      "1/s"}},
    {"mean_rows_per_second", &M::mean_rows_per_second,
     late({"The same by the mean step, in which slow steps count.", "1/s"})},
    {"epoch_seconds", &M::epoch_seconds, {"Time for all rows of the data set once.", "s"}},
    {"projected_epochs_seconds", &M::projected_epochs_seconds,
     late({"Projected time of the --epochs-projected epochs; training only. The interval is for one more "
           "launch.",
           "s"})},
    {"loop_seconds", &M::loop_seconds, late({"Time for all of --iterations; median over launches.", "s"})},
    {"training_seconds", &M::training_seconds,
     late({"Time of all --epochs with their evaluations on the training and validation parts; median over "
           "launches.",
           "s"})},
    {"test_seconds", &M::test_seconds,
     late({"Time of the evaluation on the test part after the last epoch; median over launches.", "s"})},
    {"total_seconds", &M::total_seconds,
     late({"training_seconds and test_seconds together; median over launches.", "s"})},
    {"forward_seconds", &M::forward_seconds,
     late({"Part of a training step: zeroing gradients, forward pass and loss; median over launches.", "s"})},
    {"backward_seconds", &M::backward_seconds,
     late({"Part of a training step: backward pass, and what is done to gradients; median over launches.",
           "s"})},
    {"update_seconds", &M::update_seconds,
     late({"Part of a training step: the optimizer; median over launches.", "s"})},
    {"scaling_efficiency", &M::scaling_efficiency,
     late(
         {"rows_per_second of N processes divided by N times that of one process in the same report.", "1"})},
    {"communication_exposed_seconds", &M::communication_exposed_seconds,
     late({"Part of a training step that waits for the averages of gradients; median over launches.", "s"})},
    {"communication_hidden_seconds", &M::communication_hidden_seconds,
     late({"Time of averaging gradients while the step computes; median over launches.", "s"})},
    {"communication_ceiling_share", &M::communication_ceiling_share,
     late({"Rate at which gradients are averaged, divided by that of all-reduce (host.ceilings) between as "
           "many devices.",
           "1"})},
    {"rows_per_second_per_1000_dollars", &M::rows_per_second_per_1000_dollars,
     late({"rows_per_second for each 1000 dollars of the machine's price.", "1/s"})},
    {"parameters", &M::parameters, {"Number of the network's parameters."}},
    {"trainable_parameters", &M::trainable_parameters, {"Number of parameters that a step updates."}},
    {"flops_per_step",
     &M::flops_per_step,
     {"Floating-point operations per step; a multiply-accumulate counts as 2.", "FLOP"}},
    {"flops_per_second",
     &M::flops_per_second,
     {"Floating-point operations per second: rows_per_second times those of a row.", "FLOP/s"}},
    {"bytes_per_second",
     &M::bytes_per_second,
     {"Least memory traffic per second, at rows_per_second: weights, inputs and, in training, kept "
      "activations "
      "pass once a step.",
      "B/s"}},
    {"ceiling_share",
     &M::ceiling_share,
     {"flops_per_second divided by the fastest matrix product's rate (host.ceilings) for this device and "
      "precision; may exceed 1.",
      "1"}},
    {"peak_device_bytes", &M::peak_device_bytes, {"Peak memory of tensors on the device.", "B"}},
    {"peak_reserved_bytes",
     &M::peak_reserved_bytes,
     {"Peak memory that the device's allocator reserved.", "B"}},
    {"peak_resident_bytes", &M::peak_resident_bytes, {"Peak memory of the process.", "B"}},
    {"live_bytes_per_step", &M::live_bytes_per_step,
     late({"Growth of the memory in use per step; near 0 unless memory leaks.", "B"})},
    {"data_wait_share",
     &M::data_wait_share,
     {"The share of a step's time that would be saved if its batch were already on the device.", "1"}},
    {"training_accuracy", &M::training_accuracy,
     late({"Share of training rows that are classified correctly after the last epoch.", "1", kShare})},
    {"validation_accuracy", &M::validation_accuracy,
     late({"Share of validation rows that are classified correctly after the last epoch.", "1", kShare})},
    {"test_accuracy", &M::test_accuracy,
     late({"Share of test rows that are classified correctly after the last epoch.", "1", kShare})},
    {"energy_joules_per_row",
     &M::energy_joules_per_row,
     {"Energy of the measured part of the launches, including what the machine draws when idle.", "J"}},
    {"energy_method", &M::energy_method,
     late({"The energy counter: \"rapl package\", \"rapl package and dram\", \"nvml\" or \"none\"."})},
};

using MetricsJson = ObjectJson<Metrics, kMetricFields>;

}  // namespace

template <>
struct Json<TimeMetrics> : ObjectJson<TimeMetrics, kTimeFields> {};
template <>
struct Json<ValueMetric> : ObjectJson<ValueMetric, kValueFields> {};
template <>
struct Json<RateMetric> : ObjectJson<RateMetric, kRateFields> {};
template <>
struct Json<EpochMetric> : ObjectJson<EpochMetric, kEpochMetricFields> {};

std::string percentile_key(double percent) {
  return nlohmann::json(percent == std::floor(percent) ? nlohmann::json(std::llround(percent))
                                                       : nlohmann::json(percent))
      .dump();
}

std::span<const MetricField> metric_fields() {
  return kMetricFields;
}

nlohmann::ordered_json to_json(const Metrics& metrics) {
  return MetricsJson::write(metrics);
}

Metrics read_metrics(base::Reader reader) {
  return MetricsJson::read(std::move(reader));
}

nlohmann::ordered_json metrics_json_schema() {
  return MetricsJson::schema();
}

}  // namespace mpsbench::schema
