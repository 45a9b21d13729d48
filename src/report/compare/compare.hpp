// The gate's view of two reports of one machine: what changed from BEFORE to AFTER, case by case.
#pragma once

#include "report/compare/compared_report.hpp"
#include "stats/significance.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// A change by a factor of 1.02, up or down.
inline constexpr double kThreshold = 0.02;

struct CompareRules {
  std::optional<double> threshold;  // smallest change that matters, for all cases; null: each has its own
  double alpha = 0.01;              // accepted chance of at least one false verdict over all comparisons
  // Launches with the same index were measured directly after each other, so what slows down both favours neither.
  bool takes_turns = false;
  std::vector<schema::GateOn> gate_on = {};  // what to judge, for all cases; empty: each has its own
};

// The minimum probability (power) with which a change of kEffectThresholds times the threshold must be found.
inline constexpr double kPower = 0.95;
inline constexpr double kEffectThresholds = 2.5;
// The number of launches to advise if there are too few to know their spread.
inline constexpr std::int64_t kFirstLaunches = 5;

// The ratio of a metric after to the metric before, with its 95 % interval.
struct Ratio {
  double value = 1;
  double low = 1;
  double high = 1;
};

// Smaller is better for all metrics. Faster means smaller, and slower means larger.
enum class Verdict { faster, slower, same, undecided, not_compared };

[[nodiscard]] std::string to_string(Verdict verdict);

// One metric of one case.
struct CaseComparison {
  std::string id;  // AFTER's if it has the case
  schema::GatedMetric metric = schema::GatedMetric::step;
  const ComparedCase* before = nullptr;  // null: only in the other report
  const ComparedCase* after = nullptr;
  // The metric's own, otherwise from the rules, otherwise from AFTER's run, otherwise kThreshold.
  double threshold = kThreshold;
  // How far apart two runs of the same work lie on this machine, as a share. Null if it was never calibrated,
  // and for metrics other than the step's time.
  std::optional<double> machine_spread;
  bool takes_turns = false;                     // from the rules
  std::optional<stats::Difference> difference;  // of the logarithms of the launches' values
  std::optional<Ratio> ratio;
  std::optional<double> within_launch_ratio;  // the same without an interval, if a side has only one launch
  // By Holm's method, over all comparisons that have a difference.
  std::optional<double> adjusted_p;
  Verdict verdict = Verdict::not_compared;
  bool is_machine_noise = false;  // undecided because it changed by no more than machine_spread
  // Set if it is undecided for another reason: the number of launches that each report should have.
  // Null if that is more than stats::kMostLaunchesNeeded.
  std::optional<std::int64_t> launches_needed;
  std::string reason;  // why it is not compared
};

struct Comparison {
  const ComparedReport* before = nullptr;
  const ComparedReport* after = nullptr;
  CompareRules rules;
  // BEFORE's, then those only in AFTER; smallest batch first. A case has an entry per metric that is judged,
  // or a single one if it cannot be compared at all.
  std::vector<CaseComparison> cases;
  // Geometric mean of the ratios of the cases' times; null if fewer than two cases have one.
  std::optional<Ratio> mean;

  [[nodiscard]] std::int64_t count(Verdict verdict) const;
  // Whether anything but the step's time is judged.
  [[nodiscard]] bool has_other_metrics() const;
};

// The machine_spread of a case with these launches.
using SpreadOf = std::function<std::optional<double>(const ComparedCase& before, const ComparedCase& after)>;

// Pairs the cases as case_pairs() does. Judges the metrics of the rules, otherwise those that AFTER's run
// asked for. A latency is left out where the case has none, unless nothing else is judged. The result points
// to BEFORE and AFTER and into them.
[[nodiscard]] Comparison compare(const ComparedReport& before, const ComparedReport& after, const CompareRules& rules,
                                 const SpreadOf& spread_of = {});

// What the launches of one case show.

// Whether the change is judged by its size alone, without a test. The peak that a device's allocator counts is often
// the same in all launches of a side. Then it follows from the code, so two launches of each side show it.
[[nodiscard]] bool is_exact(const CaseComparison& pair);

// The p-value of PAIR's difference, which must be set. It is that of the t-test. The memory of a process jumps
// between a few values, so launches may lie close together by chance, and a t-test would trust them. For the
// peak memory it is therefore at least that of a test of the order alone.
[[nodiscard]] double p_value(const CaseComparison& pair);

// The launches that both sides have for the entry's metric.
[[nodiscard]] std::int64_t launches_at_hand(const CaseComparison& pair);

// Of the logarithms of the values; nullopt if a side has one launch.
[[nodiscard]] std::optional<stats::Difference> difference_of(const CaseComparison& pair);
[[nodiscard]] Ratio to_ratio(const stats::Difference& difference);

// The smallest number of launches per side that finds a change of kEffectThresholds times the threshold with
// probability kPower, when TESTS comparisons are made together. It depends on the launches' spread alone, not
// on the change that they show. So you can take that many launches, and judge once, without more false
// verdicts. Nullopt if more than stats::kMostLaunchesNeeded are needed.
[[nodiscard]] std::optional<std::int64_t> launches_to_call(const CaseComparison& pair, double alpha, std::size_t tests);

// The smallest number of launches of AFTER, at most MOST, with which the test can call a change at all, if
// BEFORE gets no more.
[[nodiscard]] std::int64_t least_launches_after(const CaseComparison& pair, double alpha, std::size_t tests,
                                                std::int64_t most);

// Sets the verdict and launches_needed of PAIR, whose difference and adjusted_p must be set. ALPHA is for all
// cases together. TESTS is the number of cases that have a difference.
void decide(CaseComparison& pair, double alpha, std::size_t tests);

// The geometric mean of the ratios of the cases' times. Launches with the same index ran in one block of the
// run, in the same state of the machine. So the interval is computed over blocks: over the mean of a block's
// logarithms or, if TAKES_TURNS, over the change within a block. Nullopt if fewer than two cases have a ratio,
// or if a side has fewer than two blocks that contain all cases.
[[nodiscard]] std::optional<Ratio> geometric_mean(const std::vector<CaseComparison>& cases, bool takes_turns);

}  // namespace mpsbench::report
