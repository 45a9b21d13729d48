// The metrics of a case. The front computes them from the launches' raw samples; null means "not available".
#pragma once

#include "schema/field_json.hpp"

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

// Percentiles by base::number_text(): "99.9".
using Percentiles = std::map<std::string, std::optional<double>>;

inline constexpr const char* kCi95 = "95 % confidence interval, [low, high].";

// The distribution of step times or latencies over a case's good launches.
struct TimeMetrics {
  std::optional<double> median, mean, stddev, min, max, p90, p99;
  std::optional<Interval> ci95;
  std::int64_t count = 0;
  Percentiles percentiles;
};

template <>
inline constexpr auto kFields<TimeMetrics> = table(
    field<&TimeMetrics::median>({"Median over launches of each launch's median.", "s"}),
    field<&TimeMetrics::mean>({"Mean of all samples.", "s"}),
    field<&TimeMetrics::stddev>({"Standard deviation of all samples.", "s"}),
    field<&TimeMetrics::min>({"Least of all samples.", "s"}),
    field<&TimeMetrics::max>({"Greatest of all samples.", "s"}),
    field<&TimeMetrics::p90>({"90th percentile of single steps; null for fewer than 64 steps.", "s"}),
    field<&TimeMetrics::p99>({"99th percentile of single steps; null for fewer than 662 steps.", "s"}),
    field<&TimeMetrics::ci95>({kCi95, "s"}), field<&TimeMetrics::count>({"Number of samples."}),
    field<&TimeMetrics::percentiles>(absent_when_empty(
        {"Percentiles that --percentiles asked for, such as \"99.9\"; null if there are too few single steps.", "s"})));

struct ValueMetric {
  std::optional<double> value;
  std::optional<Interval> ci95;
};

template <>
inline constexpr auto kFields<ValueMetric> =
    table(field<&ValueMetric::value>({"Value of the median launch."}), field<&ValueMetric::ci95>({kCi95}));

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

template <>
inline constexpr auto kFields<RateMetric> = table(
    field<&RateMetric::value>({"Rows per second."}), field<&RateMetric::ci95>({kCi95}),
    field<&RateMetric::kind>({.meaning = "What it is of: the median step; the mean step, if only that was published; "
                                         "or all rows of the measured epochs or of the loop, divided by their time.",
                              .words = kRateKinds}));

inline constexpr const char* kEpochKinds[] = {"measured", "projected"};

struct EpochMetric {
  std::optional<double> value;
  std::optional<Interval> ci95;
  std::string kind;
};

template <>
inline constexpr auto kFields<EpochMetric> = table(
    field<&EpochMetric::value>(
        {"A measured epoch's: that of the median launch. A projected one's: the mean step times its steps.", "s"}),
    field<&EpochMetric::ci95>({"[low, high] that contains one more launch with 95 % confidence.", "s"}),
    field<&EpochMetric::kind>(
        {.meaning = "Whether a whole epoch was measured or is projected from the mean step.", .words = kEpochKinds}));

struct Metrics {
  TimeMetrics step_seconds, latency_seconds, first_token_seconds;
  std::optional<double> drift_ratio;
  RateMetric rows_per_second;
  std::optional<double> mean_rows_per_second;
  ValueMetric tokens_per_second, prefill_tokens_per_second;
  EpochMetric epoch_seconds;
  ValueMetric projected_epochs_seconds;
  std::optional<double> loop_seconds, training_seconds, test_seconds, total_seconds;
  std::optional<double> forward_seconds, backward_seconds, update_seconds;
  ValueMetric scaling_efficiency;
  std::optional<double> communication_exposed_seconds, communication_hidden_seconds;
  std::optional<double> communication_ceiling_share, rows_per_second_per_1000_dollars;
  std::optional<std::int64_t> parameters, trainable_parameters, weight_bytes, kv_cache_bytes, flops_per_step;
  std::optional<double> quantization_error, flops_per_second, bytes_per_second, ceiling_share;
  std::optional<std::int64_t> peak_device_bytes, peak_reserved_bytes, peak_resident_bytes;
  std::optional<double> live_bytes_per_step, data_wait_share;
  std::optional<double> training_accuracy, validation_accuracy, test_accuracy;
  std::optional<double> energy_joules_per_row, energy_joules_per_token;
  std::string energy_method = "none";
};

// The metrics, in the order in which they appear in a report.
template <>
inline constexpr auto kFields<Metrics> = table(
    "metrics", field<&Metrics::step_seconds>({"Time of a step.", "s"}),
    field<&Metrics::latency_seconds>({"Time of a step with a synchronise after it; not in training.", "s"}),
    field<&Metrics::first_token_seconds>({"generate: time from a prompt to its first token.", "s"}),
    field<&Metrics::drift_ratio>(
        {"Mean of the last tenth of a launch's samples divided by that of the first tenth; median over launches.",
         "1"}),
    field<&Metrics::rows_per_second>({"Rows processed per second, by the median step or, if epochs or a loop were "
                                      "measured as a whole, by their time.",
                                      "1/s"}),
    field<&Metrics::mean_rows_per_second>({"The same by the mean step, in which slow steps count.", "1/s"}),
    field<&Metrics::tokens_per_second>({"Tokens processed per second, by rows_per_second; in generate, tokens that "
                                        "continue all sequences of a batch, by the median step.",
                                        "1/s"}),
    field<&Metrics::prefill_tokens_per_second>(
        {"generate: tokens of prompts that are read per second, by the median of first_token_seconds.", "1/s"}),
    field<&Metrics::epoch_seconds>({"Time for all rows of the data set once.", "s"}),
    field<&Metrics::projected_epochs_seconds>(
        {"Projected time of the --epochs-projected epochs; training only. The interval is for one more launch.", "s"}),
    field<&Metrics::loop_seconds>({"Time for all of --iterations; median over launches.", "s"}),
    field<&Metrics::training_seconds>(
        {"Time of all --epochs with their evaluations on the training and validation parts; median over launches.",
         "s"}),
    field<&Metrics::test_seconds>(
        {"Time of the evaluation on the test part after the last epoch; median over launches.", "s"}),
    field<&Metrics::total_seconds>({"training_seconds and test_seconds together; median over launches.", "s"}),
    field<&Metrics::forward_seconds>(
        {"Part of a training step: zeroing gradients, forward pass and loss; median over launches.", "s"}),
    field<&Metrics::backward_seconds>(
        {"Part of a training step: backward pass, and what is done to gradients; median over launches.", "s"}),
    field<&Metrics::update_seconds>({"Part of a training step: the optimizer; median over launches.", "s"}),
    field<&Metrics::scaling_efficiency>(
        {"rows_per_second of N processes divided by N times that of one process in the same report.", "1"}),
    field<&Metrics::communication_exposed_seconds>(
        {"Part of a training step that waits for the averages of gradients; median over launches.", "s"}),
    field<&Metrics::communication_hidden_seconds>(
        {"Time of averaging gradients while the step computes; median over launches.", "s"}),
    field<&Metrics::communication_ceiling_share>(
        {"Rate at which gradients are averaged, divided by that of all-reduce (host.ceilings) between as many devices.",
         "1"}),
    field<&Metrics::rows_per_second_per_1000_dollars>(
        {"rows_per_second for each 1000 dollars of the machine's price.", "1/s"}),
    field<&Metrics::parameters>({"Number of the network's parameters."}),
    field<&Metrics::trainable_parameters>({"Number of parameters that a step updates."}),
    field<&Metrics::weight_bytes>({"Bytes of the parameters as they are stored.", "B"}),
    field<&Metrics::kv_cache_bytes>({"generate: bytes of the keys and values of all positions.", "B"}),
    field<&Metrics::quantization_error>(
        {"int8, int4: by how much quantizing the weights changes the output, relative to its largest value.", "1"}),
    field<&Metrics::flops_per_step>({"Floating-point operations per step; a multiply-accumulate counts as 2.", "FLOP"}),
    field<&Metrics::flops_per_second>(
        {"Floating-point operations per second: those of a step over the time that rates follow.", "FLOP/s"}),
    field<&Metrics::bytes_per_second>({"Least memory traffic per second: weights, inputs and, in training, kept "
                                       "activations pass once a step; in generate, the filled cache.",
                                       "B/s"}),
    field<&Metrics::ceiling_share>({"flops_per_second divided by the fastest matrix product's rate (host.ceilings) for "
                                    "this device and precision; in generate, bytes_per_second divided by the memory's "
                                    "rate; may exceed 1.",
                                    "1"}),
    field<&Metrics::peak_device_bytes>({"Peak memory of tensors on the device.", "B"}),
    field<&Metrics::peak_reserved_bytes>({"Peak memory that the device's allocator reserved.", "B"}),
    field<&Metrics::peak_resident_bytes>({"Peak memory of the process.", "B"}),
    field<&Metrics::live_bytes_per_step>({"Growth of the memory in use per step; near 0 unless memory leaks.", "B"}),
    field<&Metrics::data_wait_share>(
        {"The share of a step's time that would be saved if its batch were already on the device.", "1"}),
    field<&Metrics::training_accuracy>(
        {"Share of training rows that are classified correctly after the last epoch.", "1", kShare}),
    field<&Metrics::validation_accuracy>(
        {"Share of validation rows that are classified correctly after the last epoch.", "1", kShare}),
    field<&Metrics::test_accuracy>(
        {"Share of test rows that are classified correctly after the last epoch.", "1", kShare}),
    field<&Metrics::energy_joules_per_row>(
        {"Energy of the measured part of the launches, including what the machine draws when idle.", "J"}),
    field<&Metrics::energy_joules_per_token>({"The same per token; in generate, of all tokens after the first, "
                                              "although the energy of reading prompts is included.",
                                              "J"}),
    field<&Metrics::energy_method>(
        {"The energy counter: \"rapl package\", \"rapl package and dram\", \"nvml\" or \"none\"."}));

using MetricField = decltype(kFields<Metrics>)::OneRow;
inline constexpr const auto& kMetricFields = kFields<Metrics>;

}  // namespace mpsbench::schema
