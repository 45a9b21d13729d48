// Simulates `run --baseline` and `run --versus` on a machine whose true times are known.
#pragma once

#include "report/compare/required_launches.hpp"
#include "report/simulated_reports.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mpsbench::report {

// A baseline of kBaseline launches per case, and a run that takes kFirstLaunches and then as many as it needs; the
// verdict is also taken after the first launches. The run's first case takes exp(CHANGE) times as long.
class GatedRun {
 public:
  static constexpr std::int64_t kBaseline = 30;

  GatedRun(stats::RandomSeries& random, const Noise& noise, std::size_t cases, double change)
      : before_(simulated_report(random, noise, cases, kBaseline, false)),
        after_(simulated_report(random, noise, cases, kMostAgainstFixed * kBaseline, true, change)) {
    ComparedReport first = after_;
    for (ComparedCase& result : first.cases) result.launches.resize(kFirstLaunches);
    const RequiredLaunches wanted = required_launches(compare(before_, first, kRules), true);
    for (ComparedCase& result : after_.cases) {
      const auto found = wanted.find(result.id);
      result.launches.resize(static_cast<std::size_t>(found == wanted.end() ? kFirstLaunches : found->second));
    }
  }

  [[nodiscard]] Comparison comparison() const { return compare(before_, after_, kRules); }
  // Returns the launches of the first case.
  [[nodiscard]] std::size_t launches() const { return after_.cases.front().launches.size(); }

 private:
  inline static const CompareRules kRules{std::nullopt, CompareRules{}.alpha / kLooks};

  ComparedReport before_;
  ComparedReport after_;
};

// Two workers take turns on a machine that is slower for a while and then faster. The noise that both share
// varies by kShared, but little from one turn to the next. Takes kFirstLaunches and then as many as needed.
class VersusRun {
 public:
  static constexpr double kShared = 0.2;

  VersusRun(stats::RandomSeries& random, const Noise& noise, std::size_t cases, double change)
      : before_(simulated_report(random, noise, cases, kMost, false)),
        after_(simulated_report(random, noise, cases, kMost, true, change)) {
    for (std::size_t i = 0; i < cases; ++i) {
      const std::vector<double> shared = random.autoregressive(kMost, 0.85);
      for (std::size_t turn = 0; turn < shared.size(); ++turn) {
        const double factor = std::exp(kShared * shared[turn]);
        before_.cases[i].launches[turn].step_seconds *= factor;
        after_.cases[i].launches[turn].step_seconds *= factor;
      }
    }
    ComparedReport first = before_;
    ComparedReport second = after_;
    for (std::size_t i = 0; i < cases; ++i) {
      first.cases[i].launches.resize(kFirstLaunches);
      second.cases[i].launches.resize(kFirstLaunches);
    }
    const RequiredLaunches wanted = required_launches(compare(first, second, kRules), false);
    for (std::size_t i = 0; i < cases; ++i) {
      const auto found = wanted.find(after_.cases[i].id);
      const std::int64_t count = found == wanted.end() ? kFirstLaunches : std::min(found->second, kMost);
      before_.cases[i].launches.resize(static_cast<std::size_t>(count));
      after_.cases[i].launches.resize(static_cast<std::size_t>(count));
    }
  }

  [[nodiscard]] Comparison comparison() const { return compare(before_, after_, kRules); }
  // Returns the launches of the first case.
  [[nodiscard]] std::size_t launches() const { return after_.cases.front().launches.size(); }

 private:
  static constexpr std::int64_t kMost = 50;
  inline static const CompareRules kRules{std::nullopt, CompareRules{}.alpha / kLooks, true};

  ComparedReport before_;
  ComparedReport after_;
};

}  // namespace mpsbench::report
