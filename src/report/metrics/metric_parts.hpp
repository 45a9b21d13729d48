// What the parts of a case's metrics share, and the parts.
#pragma once

#include "report/metrics/metrics.hpp"
#include "schema/launch.hpp"
#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::report {

using Samples = std::vector<double>;
// The samples of one quantity: one list per launch, in order.
using LaunchSamples = std::vector<Samples>;
using Launches = std::vector<const schema::Launch*>;

struct Location {
  std::optional<double> median;
  std::optional<schema::Interval> ci95;
};

// The launches' means. A total over many steps is based on them, so that every slow step counts.
struct Means {
  Samples values;
  Samples half_widths;
};

[[nodiscard]] LaunchSamples select(const Launches& launches, Samples schema::Launch::* field);
[[nodiscard]] Means means_of(const LaunchSamples& launches);
// Returns the interval from LOW to HIGH, widened if needed so that it contains VALUE. Intervals are centred on a
// mean of logarithms, not on the value that is reported.
[[nodiscard]] schema::Interval containing(double value, double low, double high);
// Returns the median of the launches' medians, with the interval over launches. A single launch has its own interval.
[[nodiscard]] Location locate(const LaunchSamples& launches);
// The same from the launches' MEDIANS, and from the INTERVALS of those that have one.
[[nodiscard]] Location locate(const Samples& medians, const std::vector<stats::MedianInterval>& intervals);
// INTERVAL_OF computes the interval of the means' centre, or of one further launch.
[[nodiscard]] Location locate(const Means& means, decltype(stats::launches_interval)& interval_of);

// Whether A and B are the same figure, apart from rounding that differs between machines.
[[nodiscard]] bool is_alike(double a, double b);

inline constexpr const char* kNoLaunch = "no launch succeeded";
inline constexpr const char* kNoStep = "no step was measured";
inline constexpr const char* kOnlyTokens = "a step adds a token to each sequence: see tokens_per_second";
inline constexpr const char* kNoTokens = "only networks whose rows are a fixed number of tokens have them";
inline constexpr const char* kOnlyGeneration = "only --mode generate reads prompts and continues them";

// A case while its metrics are computed.
struct CaseFigures : MetricsAndNotes {
  CaseFigures(const schema::CaseSpec& of, const schema::RunInfo& within, Launches counted)
      : spec(of), run(within), good(std::move(counted)) {}

  const schema::CaseSpec& spec;
  const schema::RunInfo& run;  // has the price, and says which other figures the user asked for
  Launches good;               // the launches that count
  Launches whole;              // of these, those that ended well
  Means means;                 // of the good launches' steps
};

// Returns the median over LAUNCHES of what VALUE_OF returns for those that have it.
template <typename ValueOf>
[[nodiscard]] std::optional<double> median_over(const Launches& launches, ValueOf value_of) {
  Samples values;
  for (const schema::Launch* launch : launches) {
    if (const std::optional<double> value = value_of(*launch)) values.push_back(*value);
  }
  return stats::median(values);
}

// Whether latencies have samples of their own: unless each step was waited for anyway.
[[nodiscard]] inline bool has_own_latencies(const schema::CaseSpec& spec) {
  return spec.device.row().asynchronous || row_of(spec.mode).generates;
}

// Each of these functions sets some metrics, or notes why they are null.

// The distributions of step times and latencies.
void set_times(CaseFigures& figures);
// What the time of a step is spent on; in training, forward pass, backward pass and update.
void set_parts(CaseFigures& figures);
// The share of a step's time that it would save if its batch were already on the device. It is limited to twice
// the time to bring a batch: anything above that is not waiting, but noise between the two measurements.
void set_data_wait(CaseFigures& figures);

// The time of an epoch, measured or projected from the steps, and of the epochs of --epochs-projected. Call
// this after the times are set.
void set_epochs(CaseFigures& figures);
// The accuracies on each part after the last epoch.
void set_accuracy(CaseFigures& figures);
// The times of a whole training, as the articles' scripts print them.
void set_training_times(CaseFigures& figures);

// The GPU's counter is updated at least ten times a second. Over a shorter time, the updates would be too coarse.
inline constexpr double kLeastEnergySeconds = 1;
// The energy per row or, if tokens are generated, per token: how much the counters rose while the samples (or epochs)
// were taken, divided by the rows of their steps. Neither includes other parts of the launch, such as the warm-up. The
// energy includes what the machine draws when idle. With several ranks, it is the sum over their GPUs or, on the CPU,
// their machines.
void set_energy(CaseFigures& figures);
// Call this after set_energy().
void set_energy_per_token(CaseFigures& figures);
// Peaks and growth of memory.
void set_memory(CaseFigures& figures);

// The times of averaging gradients. For a case with one process, also notes why there is no efficiency.
void set_communication(CaseFigures& figures);
// How close launches come to BUS_CEILING, the bytes a second of all-reduce, when they only average gradients.
void set_communication_share(CaseFigures& figures, std::optional<double> bus_ceiling);

}  // namespace mpsbench::report
