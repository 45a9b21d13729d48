#include "schema/metrics.hpp"

#include "schema/field_json.hpp"

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

namespace {

using MaybeNumber = std::optional<double>;
using MaybeInterval = std::optional<Interval>;

constexpr const char* kCi95 = "[low, high] of 95 % confidence.";

constexpr Field<TimeMetrics, MaybeNumber, MaybeInterval, std::int64_t> kTimeFields[] = {
    {"median", &TimeMetrics::median, {"Over launches, of a launch's median.", "s"}},
    {"mean", &TimeMetrics::mean, {"Of all samples together.", "s"}},
    {"stddev", &TimeMetrics::stddev, {"Of all samples together.", "s"}},
    {"min", &TimeMetrics::min, {"Of all samples together.", "s"}},
    {"max", &TimeMetrics::max, {"Of all samples together.", "s"}},
    {"p90", &TimeMetrics::p90, {"90th percentile of single steps; null for fewer than 64.", "s"}},
    {"p99", &TimeMetrics::p99, {"99th percentile of single steps; null for fewer than 662.", "s"}},
    {"ci95", &TimeMetrics::ci95, {kCi95, "s"}},
    {"count", &TimeMetrics::count, {"Samples."}},
};

constexpr Field<ValueMetric, MaybeNumber, MaybeInterval> kValueFields[] = {
    {"value", &ValueMetric::value, {"Of the median launch."}},
    {"ci95", &ValueMetric::ci95, {kCi95}},
};

constexpr const char* kEpochKinds[] = {"measured", "projected"};

constexpr Field<EpochMetric, MaybeNumber, MaybeInterval, std::string> kEpochMetricFields[] = {
    {"value", &EpochMetric::value, {"Of the median launch.", "s"}},
    {"ci95", &EpochMetric::ci95, {"Likewise of 95 % confidence, for one further launch.", "s"}},
    {"kind", &EpochMetric::kind, {.meaning = "Projected: from the mean step.", .words = kEpochKinds}},
};

using M = Metrics;

// In the order in which a report has them.
constexpr MetricField kMetricFields[] = {
    {"step_seconds", &M::step_seconds, {.meaning = "A step.", .unit = "s", .axis = "time a step"}},
    {"latency_seconds", &M::latency_seconds, {"A step that is waited for; inference only.", "s"}},
    {"rows_per_second", &M::rows_per_second, {"Rows worked through.", "1/s"}},
    {"epoch_seconds", &M::epoch_seconds, {"All rows of the data set once.", "s"}},
    {"loop_seconds", &M::loop_seconds, late({"All of --iterations; median over launches.", "s"})},
    {"rows_per_second_per_1000_dollars", &M::rows_per_second_per_1000_dollars,
     late({"By the machine's price.", "1/s"})},
    {"parameters", &M::parameters, {"Of the network."}},
    {"trainable_parameters", &M::trainable_parameters, {"Those that a step updates."}},
    {"flops_per_step", &M::flops_per_step, {"2 a multiply-accumulate.", "FLOP"}},
    {"flops_per_second", &M::flops_per_second, {"flops_per_step over the step's time.", "FLOP/s"}},
    {"bytes_per_second", &M::bytes_per_second, {"Memory traffic.", "B/s"}},
    {"ceiling_share",
     &M::ceiling_share,
     {"flops_per_second over host.ceilings' matrix product of this device and precision; may exceed 1.",
      "1"}},
    {"peak_device_bytes", &M::peak_device_bytes, {"Most that tensors had on the device.", "B"}},
    {"peak_reserved_bytes", &M::peak_reserved_bytes, {"Most that the device's allocator took.", "B"}},
    {"peak_resident_bytes", &M::peak_resident_bytes, {"Most memory of the process.", "B"}},
    {"live_bytes_per_step", &M::live_bytes_per_step,
     late({"Slope of the memory in use: near 0 unless memory leaks.", "B"})},
    {"data_wait_share",
     &M::data_wait_share,
     {"The part of a step's time that goes when its batch is on the device already.", "1"}},
    {"validation_accuracy", &M::validation_accuracy,
     late({"Share of the rows that are right after the last epoch.", "1", kShare})},
    {"test_accuracy", &M::test_accuracy, late({"Likewise of the rows kept for testing.", "1", kShare})},
    {"energy_joules_per_row",
     &M::energy_joules_per_row,
     {"Over the measured part of the launches, what the machine draws when idle included.", "J"}},
    {"energy_method", &M::energy_method,
     late({"Whose counter: \"rapl package\", \"rapl package and dram\", \"nvml\"; or \"none\"."})},
};

using MetricsJson = ObjectJson<Metrics, kMetricFields>;

}  // namespace

template <>
struct Json<TimeMetrics> : ObjectJson<TimeMetrics, kTimeFields> {};
template <>
struct Json<ValueMetric> : ObjectJson<ValueMetric, kValueFields> {};
template <>
struct Json<EpochMetric> : ObjectJson<EpochMetric, kEpochMetricFields> {};

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
