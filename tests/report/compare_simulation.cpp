// Checks the promises of `mpsbench compare` on simulated machines, whose true times are known. Usage:
// compare_simulation [SUITES]. Prints shares in percent; docs/validation.md explains them.
#include "report/compare/compare.hpp"
#include "report/simulated_gate.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace mpsbench;
using report::ComparedReport;
using report::Comparison;
using report::Noise;
using report::Verdict;

constexpr std::size_t kCases = 10;
const report::CompareRules kRules;

struct Tally {
  std::int64_t of = 0;
  std::int64_t hits = 0;
  void add(bool hit) {
    ++of;
    hits += hit ? 1 : 0;
  }
  [[nodiscard]] double percent() const {
    return of == 0 ? 0 : 100.0 * static_cast<double>(hits) / static_cast<double>(of);
  }
};

// Compares two runs of the same code.
void unchanged(stats::RandomSeries& random, const Noise& noise, std::int64_t launches, std::int64_t suites) {
  Tally covered, mean_covered, alarm, any_call, same;
  for (std::int64_t suite = 0; suite < suites; ++suite) {
    const ComparedReport before = simulated_report(random, noise, kCases, launches, false);
    const ComparedReport after = simulated_report(random, noise, kCases, launches, true);
    const Comparison comparison = compare(before, after, kRules);
    for (const report::CaseComparison& one : comparison.cases) {
      covered.add(one.ratio->low <= 1 && 1 <= one.ratio->high);
      same.add(one.verdict == Verdict::same);
    }
    mean_covered.add(comparison.mean->low <= 1 && 1 <= comparison.mean->high);
    alarm.add(comparison.count(Verdict::slower) > 0);
    any_call.add(comparison.count(Verdict::slower) + comparison.count(Verdict::faster) > 0);
  }
  fmt::print("{:<36} {:>8} {:>9.2f} {:>9.2f} {:>9.3f} {:>9.3f} {:>7.1f}\n", noise.name, launches, covered.percent(),
             mean_covered.percent(), alarm.percent(), any_call.percent(), same.percent());
}

// The first case became slower by 2.5 thresholds. Takes a pilot of LAUNCHES, then as many launches as it
// advises.
void slowed(stats::RandomSeries& random, const Noise& noise, std::int64_t launches, std::int64_t suites) {
  const double change = std::log1p(report::kEffectThresholds * report::kThreshold);
  Tally at_once, undecided, same, called;
  std::vector<double> advised;
  for (std::int64_t suite = 0; suite < suites; ++suite) {
    const ComparedReport before = simulated_report(random, noise, kCases, launches, false);
    const ComparedReport after = simulated_report(random, noise, kCases, launches, true, change);
    const Comparison pilot = compare(before, after, kRules);
    const report::CaseComparison& first = pilot.cases.front();
    at_once.add(first.verdict == Verdict::slower);
    undecided.add(first.verdict == Verdict::undecided);
    same.add(first.verdict == Verdict::same);
    if (!first.launches_needed) {
      called.add(first.verdict == Verdict::slower);
      continue;
    }
    advised.push_back(static_cast<double>(*first.launches_needed));
    const ComparedReport again = simulated_report(random, noise, kCases, *first.launches_needed, false);
    const ComparedReport slower = simulated_report(random, noise, kCases, *first.launches_needed, true, change);
    called.add(compare(again, slower, kRules).cases.front().verdict == Verdict::slower);
  }
  fmt::print("{:<36} {:>8} {:>9.1f} {:>9.1f} {:>7.2f} {:>8.0f} {:>9.2f}\n", noise.name, launches, at_once.percent(),
             undecided.percent(), same.percent(), stats::median(advised).value_or(0), called.percent());
}

// Simulates `run --baseline` or `run --versus`: two looks, with as many launches as are needed.
template <typename Run>
void gated(const Noise& noise, std::int64_t suites) {
  stats::RandomSeries random{43};
  Tally alarm, called;
  std::vector<double> launches;
  for (std::int64_t suite = 0; suite < suites; ++suite) {
    const Run equal(random, noise, kCases, 0);
    alarm.add(equal.comparison().count(Verdict::slower) > 0);
    launches.push_back(static_cast<double>(equal.launches()));
    const Run slower(random, noise, kCases, std::log1p(report::kEffectThresholds * report::kThreshold));
    called.add(slower.comparison().cases.front().verdict == Verdict::slower);
  }
  fmt::print("{:<36} {:>8.0f} {:>9.2f} {:>9.2f}\n", noise.name, stats::median_of(launches), alarm.percent(),
             called.percent());
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t suites = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 20'000;
  fmt::print("{} suites of {} cases per line, threshold {} %, alpha {}\n\nNothing changed\n", suites, kCases,
             report::kThreshold * 100, kRules.alpha);
  fmt::print("{:<36} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7}\n", "noise", "launches", "covered", "mean", "alarm", "verdict",
             "same");
  for (const Noise& noise : report::noises()) {
    for (const std::int64_t launches : {3, 5, 10}) {
      stats::RandomSeries random{41};
      unchanged(random, noise, launches, suites);
    }
  }
  fmt::print("\nThe first case became {} % slower\n", report::kEffectThresholds * report::kThreshold * 100);
  fmt::print("{:<36} {:>8} {:>9} {:>9} {:>7} {:>8} {:>9}\n", "noise", "pilot", "by pilot", "undecided", "same",
             "advised", "found");
  for (const Noise& noise : report::noises()) {
    for (const std::int64_t launches : {3, 5}) {
      stats::RandomSeries random{42};
      slowed(random, noise, launches, suites / 5);
    }
  }
  fmt::print("\nrun --baseline, compared with {} launches per case\n{:<36} {:>8} {:>9} {:>9}\n",
             report::GatedRun::kBaseline, "noise", "launches", "alarm", "found");
  for (const Noise& noise : report::noises()) gated<report::GatedRun>(noise, suites / 5);
  fmt::print("\nrun --versus, with shared noise of {} %\n{:<36} {:>8} {:>9} {:>9}\n", report::VersusRun::kShared * 100,
             "noise", "launches", "alarm", "found");
  for (const Noise& noise : report::noises()) gated<report::VersusRun>(noise, suites / 5);
  return 0;
}
