#include "report/metrics/flags.hpp"

#include "report/metrics/counted_launches.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <utility>

namespace mpsbench::report {
namespace {

struct CaseEvidence {
  const schema::CaseResult& result;
  std::vector<const schema::Launch*> good;
  std::int64_t planned_launches;
  const schema::HostInfo& host;
};

using Holds = std::function<bool(const CaseEvidence&)>;

struct Rule : FlagRow {
  Holds holds;
};

Holds in_a_launch(std::function<bool(const schema::Launch&)> holds) {
  return [holds = std::move(holds)](const CaseEvidence& evidence) {
    return std::ranges::any_of(evidence.good, [&](const schema::Launch* launch) { return holds(*launch); });
  };
}

bool generates(const schema::Launch& launch) {
  return !launch.prefill_samples_seconds.empty();
}

// Whether HOLDS is true for the steps or the latencies of at least one good launch. If the list of latencies
// is empty, they were not measured. Those of tokens grow with the position, so they are no series.
Holds in_a_series(std::function<bool(const std::vector<double>&)> holds) {
  return in_a_launch([holds = std::move(holds)](const schema::Launch& launch) {
    const std::vector<double>& latencies = launch.latency_samples_seconds;
    return holds(launch.samples_seconds) || (!latencies.empty() && !generates(launch) && holds(latencies));
  });
}

bool has_few_samples(const schema::Launch& launch) {
  const std::int64_t least = generates(launch) ? schema::kLeastSequences : kFewSamples;
  const auto latencies = std::ssize(launch.latency_samples_seconds);
  return std::ssize(launch.samples_seconds) < least || (latencies > 0 && latencies < least);
}

bool has_stalls(const CaseEvidence& evidence) {
  const schema::TimeMetrics& step = evidence.result.metrics.step_seconds;
  return step.median && step.mean && std::abs(*step.mean - *step.median) > kStalledShare * *step.median;
}

template <typename OfSensors>
bool on_a_rank(const schema::Launch& launch, OfSensors holds) {
  return holds(launch.sensors) || std::ranges::any_of(launch.ranks, holds, &schema::RankResult::sensors);
}

// Whether SENSOR reported more than LIMIT at least once during LAUNCH, on any rank.
bool is_above(const schema::Launch& launch, const char* sensor, double limit) {
  return on_a_rank(launch, [&](const std::vector<schema::SensorRecord>& sensors) {
    return std::ranges::any_of(sensors, [&](const schema::SensorRecord& record) {
      return record.name == sensor && record.max.value_or(record.value) > limit;
    });
  });
}

Holds is_above_zero(const char* sensor) {
  return in_a_launch([sensor](const schema::Launch& launch) { return is_above(launch, sensor, 0); });
}

bool is_incomplete(const CaseEvidence& evidence) {
  const auto finished = std::ranges::count_if(evidence.result.launches, [](const schema::Launch& launch) {
    return launch.status != schema::Status::interrupted;
  });
  const bool is_cut_short = std::ranges::any_of(
      evidence.good, [](const schema::Launch* launch) { return launch->status != schema::Status::ok; });
  return is_cut_short || (!evidence.good.empty() && finished < evidence.planned_launches);
}

bool is_launch_bound(const CaseEvidence& evidence) {
  const auto& step = evidence.result.metrics.step_seconds.median;
  return step && std::ranges::any_of(evidence.good, [&](const schema::Launch* launch) {
           return launch->enqueue_seconds && *launch->enqueue_seconds > kLaunchBoundShare * *step;
         });
}

bool validates_enough(const schema::Launch& launch) {
  return std::ranges::any_of(launch.evaluations, [](const schema::Evaluation& one) {
    return one.part == schema::DataPart::validation && one.rows >= kLeastValidationRows;
  });
}

// A network that guesses is right for one row in CLASSES.
bool is_not_learning(const CaseEvidence& evidence) {
  const auto& accuracy = evidence.result.metrics.validation_accuracy;
  const auto classes = static_cast<double>(evidence.result.spec.classes.value_or(0));
  return in_a_launch(validates_enough)(evidence) && accuracy && classes > 0 && *accuracy < kGuessing / classes;
}

std::string percent(double share) {
  return std::to_string(std::llround(share * 100)) + " %";
}

std::vector<Rule> time_rules() {
  return {
      {{"noisy", "The 95 % interval of the median of the step or, in inference, of the latency is wider than ±" +
                     percent(kNoisyHalfWidth) + " of that median."},
       [](const CaseEvidence& evidence) {
         const schema::Metrics& metrics = evidence.result.metrics;
         const bool are_of_tokens = row_of(evidence.result.spec.mode).generates;  // which grow with the position
         return is_wide(metrics.step_seconds) || (!are_of_tokens && is_wide(metrics.latency_seconds));
       }},
      {{"drifting",
        "In a launch, step times changed from the first third to the last, or from the first tenth to the "
        "last, by more than " +
            percent(kDriftChange) + " of the median, and by more than their noise explains."},
       in_a_series([](const std::vector<double>& samples) {
         return std::abs(stats::relative_drift(samples).value_or(0)) > kDriftChange;
       })},
      {{"stalls",
        "The mean step differs from the median one by more than " + percent(kStalledShare) +
            ": some steps or launches took much longer (or less) than the others. rows_per_second follows the "
            "median, mean_rows_per_second and a projected epoch the mean."},
       has_stalls},
      {{"bimodal",
        "In a launch of 20 samples or more, step times fall into two groups far apart, each with at least "
        "10 % of the samples."},
       in_a_series([](const std::vector<double>& samples) { return stats::is_bimodal(samples); })},
  };
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): std::function frees what it holds

std::vector<Rule> launch_rules() {
  return {
      {{"throttled",
        "While a launch was measured, the CPU counted a thermal throttle event, the GPU slowed down because "
        "of heat or its power brake, macOS's thermal state was serious, a low-power mode was on, or the CPU "
        "quota of a control group paused the processes."},
       in_a_launch(is_throttled)},
      {{"background-load", "During a launch, other processes used more than " + percent(schema::kBackgroundCpuShare) +
                               " of the CPU time of the logical cores that it may use or, just before it, more than " +
                               percent(schema::kBackgroundGpuShare) + " of the GPU's time."},
       in_a_launch([](const schema::Launch& launch) { return on_a_rank(launch, schema::shows_background_load); })},
      {{"on-battery", "The machine ran on its battery when the run began, or while a launch was measured."},
       [](const CaseEvidence& evidence) {
         return evidence.host.power.source == "battery" || is_above_zero(schema::sensor::kOnBattery)(evidence);
       }},
      {{"cpu-fallback", "MPS handed at least 1 operator of the step to the CPU."},
       is_above_zero(schema::sensor::kMpsCpuFallbackOperators)},
      {{"cpu-fallback-on",
        "The case ran on MPS while PYTORCH_ENABLE_MPS_FALLBACK let the CPU run what MPS lacks. Only operators "
        "of the first step are counted (cpu-fallback)."},
       [](const CaseEvidence& evidence) {
         return evidence.result.spec.device.row().falls_back && is_cpu_fallback_on(evidence.host);
       }},
      {{"clocks-disagree",
        "In a launch, the device's own clock and the reference clock around the same steps differ by more "
        "than 1 % (event_check), or the device's clock ran backwards."},
       in_a_launch([](const schema::Launch& launch) { return launch.event_check && !launch.event_check->agrees; })},
      {{"few-samples", "A launch has fewer than " + std::to_string(kFewSamples) +
                           " samples of its steps, or of its latencies; if it generates, fewer than " +
                           std::to_string(schema::kLeastSequences) + " sequences."},
       in_a_launch(has_few_samples)},
      {{"within-launch", "The interval comes from only one good launch, so it cannot show how launches differ."},
       [](const CaseEvidence& evidence) { return evidence.good.size() == 1; }},
      {{"incomplete", "The run ended before all launches of the case had run, or a launch that counts was cut short."},
       is_incomplete},
  };
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the same

std::vector<Rule> workload_rules() {
  return {
      {{"input-bound", "Steps spend more than " + percent(kInputBoundShare) +
                           " of their time waiting for their batches (data_wait_share). Steps would be this much "
                           "shorter if their batches were already on the device."},
       [](const CaseEvidence& evidence) {
         return evidence.result.metrics.data_wait_share.value_or(0) > kInputBoundShare;
       }},
      {{"launch-bound", "On an asynchronous device, the host needs more than " + percent(kLaunchBoundShare) +
                            " of the step's time just to queue the step: try a larger batch or, on CUDA, --engine "
                            "graph (but not in generate)."},
       is_launch_bound},
      {{"super-linear", "scaling_efficiency is above " + percent(kPlausibleEfficiency) +
                            ": the single process was slowed down, or had other threads."},
       [](const CaseEvidence& evidence) {
         return evidence.result.metrics.scaling_efficiency.value.value_or(0) > kPlausibleEfficiency;
       }},
      {{"leaking", "In a launch, live memory grew by more than " + std::to_string(kLeakBytes >> 20) +
                       " MiB in each of the last three quarters of its steps."},
       in_a_launch(is_leaking)},
      {{"diverged", "At least one loss of a launch is not finite."}, in_a_launch([](const schema::Launch& launch) {
         return std::ranges::any_of(launch.losses, [](const std::optional<double>& loss) { return !loss; });
       })},
      {{"as-published",
        "The case was timed as the published scripts do it, without waiting for the device; a loop of "
        "inference uses one batch with gradients on."},
       [](const CaseEvidence& evidence) { return evidence.result.spec.as_published; }},
      {{"not-learning",
        "After the last epoch, the accuracy on 50 or more validation rows is less than 1.5 times that of "
        "guessing."},
       is_not_learning},
      {{schema::kPublishedFlag, "The figures were published by others, not measured by this program."},
       [](const CaseEvidence& evidence) { return evidence.result.published.has_value(); }},
  };
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = [] {
    std::vector<Rule> all = time_rules();
    for (const auto& more : {launch_rules(), workload_rules()}) all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return kRules;
}

}  // namespace

// A published time may have a mean but no median.
bool is_wide(const schema::TimeMetrics& time) {
  const std::optional<double> middle = time.median ? time.median : time.mean;
  return middle && time.ci95 && (time.ci95->high - time.ci95->low) / 2 > kNoisyHalfWidth * *middle;
}

bool was_paused_by_quota(const schema::Launch& launch) {
  return is_above(launch, schema::sensor::kCpuQuotaPauses, 0);
}

bool is_throttled(const schema::Launch& launch) {
  namespace sensor = schema::sensor;
  return was_paused_by_quota(launch) || is_above(launch, sensor::kThermalState, kFairThermalState) ||
         std::ranges::any_of(std::array{sensor::kGpuThrottled, sensor::kCpuThrottleEvents, sensor::kLowPowerMode},
                             [&](const char* name) { return is_above(launch, name, 0); });
}

// LibTorch, too, reads the variable as a whole number.
bool is_cpu_fallback_on(const schema::HostInfo& host) {
  const auto variable = host.environment.find("PYTORCH_ENABLE_MPS_FALLBACK");
  return variable != host.environment.end() && std::strtol(variable->second.c_str(), nullptr, 10) != 0;
}

std::vector<FlagRow> flag_rows() {
  return {rules().begin(), rules().end()};
}

std::string flag_table() {
  std::string table = "| flag | raised when |\n| --- | --- |\n";
  for (const FlagRow& row : rules()) table += "| `" + row.name + "` | " + row.rule + " |\n";
  return table;
}

std::vector<std::string> flags_of(const schema::CaseResult& result, std::int64_t planned_launches,
                                  const schema::HostInfo& host) {
  const CaseEvidence evidence{result, counted_launches(result.launches), planned_launches, host};
  std::vector<std::string> flags;
  if (evidence.good.empty() && !result.published) return flags;  // there is no figure to flag
  for (const Rule& rule : rules()) {
    if (rule.holds(evidence)) flags.push_back(rule.name);
  }
  return flags;
}

}  // namespace mpsbench::report
