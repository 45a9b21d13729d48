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
using report::Noise;
using report::Tally;
using report::Verdict;

const report::CompareRules kRules;

// Simulates `run --baseline` or `run --versus`: two looks, with as many launches as are needed.
template <typename Run>
void gated(const Noise& noise, std::int64_t suites) {
  stats::RandomSeries random{43};
  Tally alarm, called;
  std::vector<double> launches;
  for (std::int64_t suite = 0; suite < suites; ++suite) {
    const Run equal(random, noise, report::kSimulatedCases, 0);
    alarm.add(equal.comparison().count(Verdict::slower) > 0);
    launches.push_back(static_cast<double>(equal.launches()));
    const Run slower(random, noise, report::kSimulatedCases,
                     std::log1p(report::kEffectThresholds * report::kThreshold));
    called.add(slower.comparison().cases.front().verdict == Verdict::slower);
  }
  fmt::print("{:<36} {:>8.0f} {:>9.2f} {:>9.2f}\n", noise.name, stats::median_of(launches), alarm.percent(),
             called.percent());
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t suites = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 20'000;
  fmt::print("{} suites of {} cases per line, threshold {} %, alpha {}\n\nNothing changed\n", suites,
             report::kSimulatedCases, report::kThreshold * 100, kRules.alpha);
  fmt::print("{:<36} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7}\n", "noise", "launches", "covered", "mean", "alarm", "verdict",
             "same");
  for (const Noise& noise : report::noises()) {
    for (const std::int64_t launches : {3, 5, 10}) {
      const auto found = report::compare_unchanged(stats::RandomSeries{41}, noise, launches, suites);
      fmt::print("{:<36} {:>8} {:>9.2f} {:>9.2f} {:>9.3f} {:>9.3f} {:>7.1f}\n", noise.name, launches,
                 found.covered.percent(), found.mean_covered.percent(), found.alarm.percent(), found.any_call.percent(),
                 found.same.percent());
    }
  }
  fmt::print("\nThe first case became {} % slower\n", report::kEffectThresholds * report::kThreshold * 100);
  fmt::print("{:<36} {:>8} {:>9} {:>9} {:>7} {:>8} {:>9}\n", "noise", "pilot", "by pilot", "undecided", "same",
             "advised", "found");
  for (const Noise& noise : report::noises()) {
    for (const std::int64_t launches : {3, 5}) {
      const auto found = report::compare_slowed(stats::RandomSeries{42}, noise, launches, suites / 5);
      fmt::print("{:<36} {:>8} {:>9.1f} {:>9.1f} {:>7.2f} {:>8.0f} {:>9.2f}\n", noise.name, launches,
                 found.at_once.percent(), found.undecided.percent(), found.same.percent(),
                 stats::median(found.advised).value_or(0), found.called.percent());
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
