// `run --baseline` on a machine whose truth is known.
#pragma once

#include "report/launch_plan.hpp"
#include "report/simulated_reports.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mpsbench::report {

// A baseline of kBaseline launches a case, and a run that takes kFirstLaunches and then what it needs; the
// launches of the first look are judged too. Its first case takes exp(CHANGE) times as long.
class GatedRun {
 public:
  static constexpr std::int64_t kBaseline = 30;

  GatedRun(stats::RandomSeries& random, const Noise& noise, std::size_t cases, double change)
      : before_(simulated_report(random, noise, cases, kBaseline, false)),
        after_(simulated_report(random, noise, cases, kMostAgainstFixed * kBaseline, true, change)) {
    ComparedReport first = after_;
    for (ComparedCase& result : first.cases) result.launches.resize(kFirstLaunches);
    const LaunchPlan wanted = launch_plan(compare(before_, first, kRules), true);
    for (ComparedCase& result : after_.cases) {
      const auto found = wanted.find(result.id);
      result.launches.resize(
          static_cast<std::size_t>(found == wanted.end() ? kFirstLaunches : found->second));
    }
  }

  [[nodiscard]] Comparison comparison() const { return compare(before_, after_, kRules); }
  // Of the first case.
  [[nodiscard]] std::size_t launches() const { return after_.cases.front().launches.size(); }

 private:
  static constexpr CompareRules kRules{std::nullopt, CompareRules{}.alpha / kLooks};

  ComparedReport before_;
  ComparedReport after_;
};

}  // namespace mpsbench::report
