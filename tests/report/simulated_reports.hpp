// Simulates reports of a machine whose true times are known, to check the promises of `mpsbench compare`.
#pragma once

#include "report/compare/compare.hpp"
#include "stats/random_series.hpp"
#include "stats/summary.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::report {

// How a machine's times vary, as relative amounts (logarithms).
struct Noise {
  std::string name;
  std::function<double(stats::RandomSeries&)> launch;                // the level of a launch
  std::function<std::vector<double>(stats::RandomSeries&)> samples;  // a launch's samples around its level
  double block = 0;        // standard deviation of the noise that all launches of a block share
  double after_scale = 1;  // factor by which the launches of the second report vary more
  double drift = 0;        // change from the first launch of a run to its last
};

inline std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

// Kinds of noise, such as autocorrelated (rho 0.9) or heavy-tailed (Student's t with 3 degrees of freedom)
// inside a launch.
inline std::vector<Noise> noises() {
  using Random = stats::RandomSeries;
  const auto normal = [](double deviation) {
    return [deviation](Random& random) { return deviation * random.normal(); };
  };
  const auto correlated = [](Random& random) { return scaled(random.autoregressive(30, 0.9), 0.015); };
  const auto heavy = [](Random& random) {
    return scaled(Random::independent(30, [&] { return random.student3(); }), 0.03);
  };
  return {
      {"autocorrelated samples", normal(0.01), correlated},
      {"heavy tails", [](Random& random) { return 0.007 * random.student3(); }, heavy},
      {"one launch in ten is slow",
       [](Random& random) { return 0.007 * random.normal() + (random.uniform() < 0.1 ? 0.04 : 0); }, correlated},
      {"spread tripled in the second report", normal(0.005), correlated, 0, 3},
      {"blocks share noise", normal(0.007), correlated, 0.007},
      {"drift of 2 % over a run", normal(0.01), correlated, 0, 1, 0.02},
  };
}

// A run of CASES cases with LAUNCHES launches each. The first case takes exp(CHANGE) times as long as it did BEFORE.
inline ComparedReport simulated_report(stats::RandomSeries& random, const Noise& noise, std::size_t cases,
                                       std::int64_t launches, bool after, double change = 0) {
  ComparedReport report;
  report.cases.resize(cases);
  for (std::size_t i = 0; i < cases; ++i) report.cases[i].id = "case " + std::to_string(i);
  for (std::int64_t block = 0; block < launches; ++block) {
    const double common =
        noise.block * random.normal() +
        noise.drift * static_cast<double>(block) / static_cast<double>(std::max<std::int64_t>(launches - 1, 1));
    for (std::size_t i = 0; i < cases; ++i) {
      const double own = noise.launch(random) * (after ? noise.after_scale : 1);
      const double level = common + own + (i == 0 ? change : 0);
      const double median = stats::median_of(noise.samples(random));
      report.cases[i].launches.push_back({block, 0.01 * static_cast<double>(i + 1) * std::exp(level + median)});
    }
  }
  return report;
}

// How often something happened.
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

constexpr std::size_t kSimulatedCases = 10;

struct Unchanged {
  Tally covered, mean_covered, alarm, any_call, same;
};

// Compares two runs of the same code.
inline Unchanged compare_unchanged(stats::RandomSeries random, const Noise& noise, std::int64_t launches,
                                   std::int64_t suites) {
  Unchanged found;
  const auto holds_one = [](const Ratio& ratio) { return ratio.low <= 1 && 1 <= ratio.high; };
  for (std::int64_t suite = 0; suite < suites; ++suite) {
    const ComparedReport before = simulated_report(random, noise, kSimulatedCases, launches, false);
    const ComparedReport after = simulated_report(random, noise, kSimulatedCases, launches, true);
    const Comparison comparison = compare(before, after, {});
    for (const CaseComparison& one : comparison.cases) {
      found.covered.add(holds_one(*one.ratio));
      found.same.add(one.verdict == Verdict::same);
    }
    found.mean_covered.add(holds_one(*comparison.mean));
    found.alarm.add(comparison.count(Verdict::slower) > 0);
    found.any_call.add(comparison.count(Verdict::slower) + comparison.count(Verdict::faster) > 0);
  }
  return found;
}

struct Slowed {
  Tally at_once, undecided, same, called;
  std::vector<double> advised;  // launches
};

// The first case became slower by kEffectThresholds thresholds. Takes a pilot of LAUNCHES, then as many launches
// as it advises.
inline Slowed compare_slowed(stats::RandomSeries random, const Noise& noise, std::int64_t launches,
                             std::int64_t suites) {
  const double change = std::log1p(kEffectThresholds * kThreshold);
  Slowed found;
  const auto first_case = [&](std::int64_t count) {
    const ComparedReport before = simulated_report(random, noise, kSimulatedCases, count, false);
    const ComparedReport after = simulated_report(random, noise, kSimulatedCases, count, true, change);
    const CaseComparison one = compare(before, after, {}).cases.front();
    return std::pair(one.verdict, one.launches_needed);
  };
  for (std::int64_t suite = 0; suite < suites; ++suite) {
    auto [verdict, needed] = first_case(launches);
    found.at_once.add(verdict == Verdict::slower);
    found.undecided.add(verdict == Verdict::undecided);
    found.same.add(verdict == Verdict::same);
    if (needed) {
      found.advised.push_back(static_cast<double>(*needed));
      verdict = first_case(*needed).first;
    }
    found.called.add(verdict == Verdict::slower);
  }
  return found;
}

// Names a test after its noise.
template <typename Test>
std::string noise_name(const Test& test) {
  std::string name = test.param.name;
  std::erase_if(name, [](char c) { return c == ' ' || c == '%'; });
  return name;
}

}  // namespace mpsbench::report
