// The gate's view of two reports of one machine: what changed from BEFORE to AFTER, case by case.
#pragma once

#include "report/compare/compared_report.hpp"
#include "stats/welch.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// A factor 1.02 either way.
inline constexpr double kThreshold = 0.02;

struct CompareRules {
  std::optional<double> threshold;  // least change that matters, of all cases; null: each case's own
  double alpha = 0.01;              // chance of even one false call over all cases
  // Launches of one index were measured one right after the other: what slows down both is in neither's
  // favour.
  bool takes_turns = false;
};

// Least power with which a change of kEffectThresholds times the threshold shall be called.
inline constexpr double kPower = 0.95;
inline constexpr double kEffectThresholds = 2.5;
// What is advised where no launches tell their spread.
inline constexpr std::int64_t kFirstLaunches = 5;

// A ratio of times, after to before, with its 95 % interval.
struct Ratio {
  double value = 1;
  double low = 1;
  double high = 1;
};

enum class Verdict { faster, slower, same, undecided, not_compared };

[[nodiscard]] std::string to_string(Verdict verdict);

struct CaseComparison {
  std::string id;
  const ComparedCase* before = nullptr;  // null: only in the other report
  const ComparedCase* after = nullptr;
  double threshold = kThreshold;  // the rules', else that of AFTER's run, else kThreshold
  // How far two runs of the same thing lie apart on this machine, as a share; null: never calibrated.
  std::optional<double> machine_spread;
  bool takes_turns = false;                     // as the rules say
  std::optional<stats::Difference> difference;  // of the launches' logs
  std::optional<Ratio> ratio;
  std::optional<double> adjusted_p;  // Holm's, over all cases that have a difference
  Verdict verdict = Verdict::not_compared;
  bool is_machine_noise = false;  // undecided, since it changed by no more than machine_spread
  // Otherwise undecided: launches that each report should have; null: more than stats::kMostLaunchesNeeded.
  std::optional<std::int64_t> launches_needed;
  std::string reason;  // why it is not compared
};

struct Comparison {
  const ComparedReport* before = nullptr;
  const ComparedReport* after = nullptr;
  CompareRules rules;
  std::vector<CaseComparison> cases;  // those of BEFORE in its order, then those only in AFTER
  std::optional<Ratio> mean;          // geometric, of the cases that have a ratio; null for fewer than two

  [[nodiscard]] std::int64_t count(Verdict verdict) const;
};

// What the machine is known to vary by where nothing changed: of a case with LAUNCHES, as in machine_spread.
using SpreadOf = std::function<std::optional<double>(const ComparedCase& before, const ComparedCase& after)>;

// Cases are paired by id. Keeps pointers to BEFORE and AFTER and into them.
[[nodiscard]] Comparison compare(const ComparedReport& before, const ComparedReport& after,
                                 const CompareRules& rules, const SpreadOf& spread_of = {});

}  // namespace mpsbench::report
