#include "report/metrics/flags.hpp"

#include "report/metrics/counted_launches.hpp"
#include "report/metrics/resource_metrics.hpp"
#include "stats/series.hpp"

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

struct Rule {
  std::string name;
  std::string sentence;
  std::function<bool(const CaseEvidence&)> holds;
};

// Whether HOLDS is true for at least one good launch.
bool any_good(const CaseEvidence& evidence, const std::function<bool(const schema::Launch&)>& holds) {
  return std::any_of(evidence.good.begin(), evidence.good.end(),
                     [&](const schema::Launch* launch) { return holds(*launch); });
}

// Whether HOLDS is true for the steps or the latencies of at least one good launch. If the list of latencies
// is empty, they were not measured.
bool any_series(const CaseEvidence& evidence, const std::function<bool(const std::vector<double>&)>& holds) {
  return any_good(evidence, [&](const schema::Launch& launch) {
    const std::vector<double>& latencies = launch.latency_samples_seconds;
    return holds(launch.samples_seconds) || (!latencies.empty() && holds(latencies));
  });
}

bool is_noisy(const CaseEvidence& evidence) {
  const schema::Metrics& metrics = evidence.result.metrics;
  return is_wide(metrics.step_seconds) || is_wide(metrics.latency_seconds);
}

bool is_drifting(const CaseEvidence& evidence) {
  return any_series(evidence, [](const std::vector<double>& samples) {
    const auto drift = stats::relative_drift(samples);
    return drift && std::abs(*drift) > kDriftChange;
  });
}

bool has_stalls(const CaseEvidence& evidence) {
  const schema::TimeMetrics& step = evidence.result.metrics.step_seconds;
  return step.median && step.mean && std::abs(*step.mean - *step.median) > kStalledShare * *step.median;
}

// Whether SENSOR reported more than LIMIT at least once during LAUNCH, on any rank.
bool is_above(const schema::Launch& launch, const char* sensor, double limit) {
  const auto is_above_in = [&](const std::vector<schema::SensorRecord>& sensors) {
    return std::ranges::any_of(sensors, [&](const schema::SensorRecord& record) {
      return record.name == sensor && record.max.value_or(record.value) > limit;
    });
  };
  return is_above_in(launch.sensors) || std::ranges::any_of(launch.ranks, is_above_in, &schema::RankResult::sensors);
}

// Whether SENSOR reported more than LIMIT in at least one good launch.
bool any_above(const CaseEvidence& evidence, const char* sensor, double limit) {
  return any_good(evidence, [&](const schema::Launch& launch) { return is_above(launch, sensor, limit); });
}

bool has_background_load(const CaseEvidence& evidence) {
  return any_good(evidence, [](const schema::Launch& launch) {
    return schema::shows_background_load(launch.sensors) ||
           std::ranges::any_of(launch.ranks, schema::shows_background_load, &schema::RankResult::sensors);
  });
}

bool any_throttled(const CaseEvidence& evidence) {
  return any_good(evidence, [](const schema::Launch& launch) { return is_throttled(launch); });
}

bool is_on_battery(const CaseEvidence& evidence) {
  return evidence.host.power.source == "battery" || any_above(evidence, schema::sensor::kOnBattery, 0);
}

bool has_few_samples(const CaseEvidence& evidence) {
  return any_series(evidence, [](const std::vector<double>& samples) {
    return static_cast<std::int64_t>(samples.size()) < kFewSamples;
  });
}

bool is_incomplete(const CaseEvidence& evidence) {
  const std::vector<schema::Launch>& launches = evidence.result.launches;
  const auto finished = std::count_if(launches.begin(), launches.end(), [](const schema::Launch& launch) {
    return launch.status != schema::Status::interrupted;
  });
  const bool is_cut_short =
      any_good(evidence, [](const schema::Launch& launch) { return launch.status != schema::Status::ok; });
  return is_cut_short || (!evidence.good.empty() && finished < evidence.planned_launches);
}

bool is_launch_bound(const CaseEvidence& evidence) {
  return any_good(evidence, [&](const schema::Launch& launch) {
    const auto& step = evidence.result.metrics.step_seconds.median;
    return step && launch.enqueue_seconds && *launch.enqueue_seconds > kLaunchBoundShare * *step;
  });
}

bool is_input_bound(const CaseEvidence& evidence) {
  return evidence.result.metrics.data_wait_share.value_or(0) > kInputBoundShare;
}

// A network that guesses is right for one row in CLASSES.
bool is_not_learning(const CaseEvidence& evidence) {
  const auto& accuracy = evidence.result.metrics.validation_accuracy;
  const auto classes = static_cast<double>(evidence.result.spec.classes.value_or(0));
  const bool enough = any_good(evidence, [](const schema::Launch& launch) {
    return std::any_of(launch.evaluations.begin(), launch.evaluations.end(), [](const schema::Evaluation& one) {
      return one.part == schema::DataPart::validation && one.rows >= kLeastValidationRows;
    });
  });
  return enough && accuracy && classes > 0 && *accuracy < kGuessing / classes;
}

bool has_diverged(const CaseEvidence& evidence) {
  return any_good(evidence, [](const schema::Launch& launch) {
    return std::find(launch.losses.begin(), launch.losses.end(), std::nullopt) != launch.losses.end();
  });
}

std::string percent(double share) {
  return std::to_string(std::llround(share * 100)) + " %";
}

// Rules about the times.
std::vector<Rule> time_rules() {
  return {
      {"noisy",
       "The 95 % interval of the step's or the latency's median is wider than ±" + percent(kNoisyHalfWidth) +
           " of that median.",
       is_noisy},
      {"drifting",
       "In a launch, step times changed from the first third to the last, or from the first tenth to the "
       "last, by more than " +
           percent(kDriftChange) + " of the median, and by more than their noise explains.",
       is_drifting},
      {"stalls",
       "The mean step differs from the median one by more than " + percent(kStalledShare) +
           ": some steps or launches took much longer (or less) than the others. rows_per_second follows the "
           "median, mean_rows_per_second and a projected epoch the mean.",
       has_stalls},
      {"bimodal",
       "In a launch of 20 samples or more, step times fall into two groups far apart, each with at least "
       "10 % of the samples.",
       [](const CaseEvidence& evidence) {
         return any_series(evidence, [](const std::vector<double>& samples) { return stats::is_bimodal(samples); });
       }},
  };
}

// Rules about the machine and its launches.
std::vector<Rule> launch_rules() {
  return {
      {"throttled",
       "While a launch was measured, the CPU counted a thermal throttle event, the GPU slowed down because "
       "of heat or its power brake, macOS's thermal state was serious, a low-power mode was on, or the CPU "
       "quota of a control group paused the processes.",
       any_throttled},
      {"background-load",
       "During a launch, other processes used more than " + percent(schema::kBackgroundCpuShare) +
           " of the CPU time of the logical cores that it may use or, just before it, more than " +
           percent(schema::kBackgroundGpuShare) + " of the GPU's time.",
       has_background_load},
      {"on-battery", "The machine ran on its battery when the run began, or while a launch was measured.",
       is_on_battery},
      {"cpu-fallback", "MPS handed at least 1 operator of the step to the CPU.",
       [](const CaseEvidence& evidence) { return any_above(evidence, schema::sensor::kMpsCpuFallbackOperators, 0); }},
      {"cpu-fallback-on",
       "The case ran on MPS while PYTORCH_ENABLE_MPS_FALLBACK let the CPU run what MPS lacks. Only operators "
       "of the first step are counted (cpu-fallback).",
       [](const CaseEvidence& evidence) {
         return evidence.result.spec.device.row().falls_back && is_cpu_fallback_on(evidence.host);
       }},
      {"clocks-disagree",
       "In a launch, the device's own clock and the reference clock around the same steps differ by more "
       "than 1 % (event_check), or the device's clock ran backwards.",
       [](const CaseEvidence& evidence) {
         return any_good(
             evidence, [](const schema::Launch& launch) { return launch.event_check && !launch.event_check->agrees; });
       }},
      {"few-samples",
       "A launch has fewer than " + std::to_string(kFewSamples) + " samples of its steps, or of its latencies.",
       has_few_samples},
      {"within-launch", "The interval comes from only one good launch, so it cannot show how launches differ.",
       [](const CaseEvidence& evidence) { return evidence.good.size() == 1; }},
      {"incomplete", "The run ended before all launches of the case had run, or a launch that counts was cut short.",
       is_incomplete},
  };
}

// Rules about the work itself.
std::vector<Rule> workload_rules() {
  return {
      {"input-bound",
       "Steps spend more than " + percent(kInputBoundShare) +
           " of their time waiting for their batches (data_wait_share). Steps would be this much shorter if "
           "their batches were already on the device.",
       is_input_bound},
      {"launch-bound",
       "On an asynchronous device, the host needs more than " + percent(kLaunchBoundShare) +
           " of the step's time just to queue the step: try a larger batch or, on CUDA, --engine graph.",
       is_launch_bound},
      {"super-linear",
       "scaling_efficiency is above " + percent(kPlausibleEfficiency) +
           ": the single process was slowed down, or had other threads.",
       [](const CaseEvidence& evidence) {
         return evidence.result.metrics.scaling_efficiency.value.value_or(0) > kPlausibleEfficiency;
       }},
      {"leaking",
       "In a launch, live memory grew by more than " + std::to_string(kLeakBytes >> 20) +
           " MiB in each of the last three quarters of its steps.",
       [](const CaseEvidence& evidence) { return any_good(evidence, is_leaking); }},
      {"diverged", "At least one loss of a launch is not finite.", has_diverged},
      {"as-published",
       "The case was timed as the published scripts do it, without waiting for the device; a loop of "
       "inference uses one batch with gradients on.",
       [](const CaseEvidence& evidence) { return schema::as_published(evidence.result.spec.loop); }},
      {"not-learning",
       "After the last epoch, the accuracy on 50 or more validation rows is less than 1.5 times that of "
       "guessing.",
       is_not_learning},
      {schema::kPublishedFlag, "The figures were published by others, not measured by this program.",
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
  return is_above(launch, schema::sensor::kGpuThrottled, 0) ||
         is_above(launch, schema::sensor::kCpuThrottleEvents, 0) || was_paused_by_quota(launch) ||
         is_above(launch, schema::sensor::kThermalState, kFairThermalState) ||
         is_above(launch, schema::sensor::kLowPowerMode, 0);
}

// LibTorch, too, reads the variable as a whole number.
bool is_cpu_fallback_on(const schema::HostInfo& host) {
  const auto variable = host.environment.find("PYTORCH_ENABLE_MPS_FALLBACK");
  return variable != host.environment.end() && std::strtol(variable->second.c_str(), nullptr, 10) != 0;
}

std::vector<FlagRow> flag_rows() {
  std::vector<FlagRow> rows;
  for (const Rule& rule : rules()) rows.push_back({rule.name, rule.sentence});
  return rows;
}

std::string flag_table() {
  std::string table = "| flag | raised when |\n| --- | --- |\n";
  for (const Rule& rule : rules()) table += "| `" + rule.name + "` | " + rule.sentence + " |\n";
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
