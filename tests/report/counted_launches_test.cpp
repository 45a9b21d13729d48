#include "report/metrics/counted_launches.hpp"

#include "report/metrics/assemble.hpp"
#include "stats/summary.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::GatedMetric;
using schema::Launch;
using schema::Mode;
using tests::good_launch;
using Seconds = std::vector<double>;

// Launches with these median steps. A negative one is of a disturbed launch.
std::vector<Launch> launches_of(const Seconds& steps) {
  std::vector<Launch> launches;
  for (const double step : steps) {
    launches.push_back(good_launch(tests::steady_samples(std::abs(step), 21), std::ssize(launches)));
    if (step > 0) continue;
    launches.back().disturbed = schema::Disturbance::background_load;
    launches.back().sensors = {schema::sensor_record(schema::sensor::kOtherCpuShare, 0.5)};
  }
  return launches;
}

Seconds medians_of(const std::vector<Launch>& launches) {
  Seconds medians;
  for (const Launch* launch : counted_launches(launches)) medians.push_back(launch->samples_seconds[0]);
  return medians;
}

TEST(CountedLaunches, AreTheUndisturbedIfThereAreThree) {
  EXPECT_EQ(medians_of(launches_of({1, -5, 2, -6, 3})), (Seconds{1, 2, 3}));
  EXPECT_EQ(medians_of(launches_of({1, 2, 3})), (Seconds{1, 2, 3}));
  EXPECT_EQ(medians_of(launches_of({1, -5, 2})), (Seconds{1, 5, 2}));
  EXPECT_EQ(medians_of(launches_of({-1, -2, -3})), (Seconds{1, 2, 3}));
  std::vector<Launch> launches = launches_of({1, -5, 2, 3});
  launches[3].status = schema::Status::crashed;
  EXPECT_EQ(medians_of(launches), (Seconds{1, 5, 2}));
}

TEST(LaunchCounts, TellWhatIsSetAside) {
  const LaunchCounts aside = launch_counts(launches_of({1, -5, 2, -6, 3}));
  EXPECT_EQ(std::tuple(aside.good, aside.disturbed, aside.counted), std::tuple(5U, 2U, 3U));
  const LaunchCounts all = launch_counts(launches_of({1, -5, 2}));
  EXPECT_EQ(std::tuple(all.good, all.disturbed, all.counted), std::tuple(3U, 1U, 3U));
}

schema::CaseResult assembled(const Seconds& steps) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", Mode::train, 64)}, 1);
  record.run.planned[0].repeats = std::ssize(steps);
  record.launches[record.run.planned[0].id] = launches_of(steps);
  return assemble(record).cases.front();
}

bool has_flag(const schema::CaseResult& result, const char* flag) {
  return std::ranges::find(result.flags, flag) != result.flags.end();
}

TEST(Assemble, TakesFiguresAndFlagsFromTheLaunchesThatCount) {
  const schema::CaseResult aside = assembled({1, -5, 1.001, -6, 0.999});
  EXPECT_DOUBLE_EQ(*aside.metrics.step_seconds.median, 1);
  EXPECT_LT(*aside.metrics.step_seconds.max, 2);
  EXPECT_EQ(aside.metrics.step_seconds.count, 3 * 21);
  EXPECT_EQ(aside.launches.size(), 5U);
  EXPECT_FALSE(has_flag(aside, "background-load") || has_flag(aside, "noisy") || has_flag(aside, "incomplete"));
  const schema::CaseResult all = assembled({1, -5, 1.001});
  EXPECT_GT(*all.metrics.step_seconds.max, 4);
  EXPECT_TRUE(has_flag(all, "background-load") && has_flag(all, "noisy"));
}

// Rising times: 1 ms, 2 ms, ...
Seconds rising_times(std::size_t count) {
  Seconds samples;
  for (std::size_t i = 1; i <= count; ++i) samples.push_back(0.001 * static_cast<double>(i));
  return samples;
}

// Returns a launch with PEAKS of the device's and the host's memory.
Launch with_peaks(std::optional<std::int64_t> device, std::optional<std::int64_t> host) {
  Launch launch = good_launch({1});
  launch.peak_device_bytes = device;
  launch.peak_resident_bytes = host;
  return launch;
}

Launch with_joules(std::size_t samples) {
  Launch launch = good_launch(Seconds(samples, 0.125));
  launch.sensors = {schema::sensor_record("cpu_energy", 30)};
  return launch;
}

TEST(LaunchValue, IsOfTheMetric) {
  constexpr auto kStep = GatedMetric::step;
  constexpr auto kP99 = GatedMetric::latency_p99;
  constexpr auto kFirst = GatedMetric::first_token;
  constexpr auto kPeak = GatedMetric::peak_memory;
  constexpr auto kJoules = GatedMetric::energy;
  const std::size_t needed = stats::samples_for_percentile(99);
  Launch windows = good_launch(rising_times(1001));
  windows.steps_per_sample = 2;
  Launch own = windows;
  own.latency_samples_seconds = rising_times(2001);
  Launch sequences = own;
  sequences.prefill_samples_seconds = {0.5, 0.25, 0.75};
  struct OneValue {
    GatedMetric metric;
    Mode mode;
    schema::DeviceId device;
    Launch launch;
    double value = 0;
    const char* why_missing = "";  // a part of it, if there is no value
  };
  for (const OneValue& row : std::vector<OneValue>{
           {kStep, Mode::train, "cpu", good_launch({3, 1, 2}), 2},
           {kStep, Mode::train, "cpu", good_launch({}), 0, "no samples"},
           {kStep, Mode::train, "cpu", good_launch({0, 0, 1}), 0, "no samples"},  // no logarithm
           {kP99, Mode::infer, "cpu", good_launch(rising_times(1001)), 0.991},
           {kP99, Mode::infer, "cpu", windows, 0, "steps are too short to time each; use a larger --batch-size"},
           {kP99, Mode::infer, "cuda", windows, 0, "measure no latency"},
           {kP99, Mode::infer, "cuda", own, 1.981},
           {kP99, Mode::train, "cuda", own, 0, "--mode train has none"},
           {kP99, Mode::generate, "cpu", own, 1.981},
           {kFirst, Mode::generate, "cpu", sequences, 0.5},
           {kFirst, Mode::generate, "cpu", own, 0, "no samples"},
           {kFirst, Mode::infer, "cpu", own, 0, "--mode infer has none"},
           {kP99, Mode::infer, "cpu", good_launch(Seconds(needed, 0.5)), 0.5},
           {kP99, Mode::infer, "cpu", good_launch(rising_times(needed - 1)), 0,
            "a launch has 661 of 662 samples; use --min-samples 662 and a longer --max-time"},
           {kPeak, Mode::train, "cuda", with_peaks(std::nullopt, 200), 200},
           {kPeak, Mode::train, "cuda", with_peaks(100, 200), 100},
           {kPeak, Mode::train, "cuda", with_peaks({}, {}), 0, "the system does not report it"},
           {kJoules, Mode::train, "cpu", good_launch(Seconds(8, 0.125)), 0, "no energy counter was read"},
           {kJoules, Mode::train, "cpu", with_joules(8), 30.0 / (8 * 64)},
           {kJoules, Mode::train, "cpu", with_joules(7), 0, "--min-time"}}) {
    SCOPED_TRACE(to_string(row.metric) + " " + row.why_missing);
    schema::CaseSpec spec = tests::sample_spec("mlp", row.mode, 64);
    spec.device = row.device;
    const LaunchValue found = launch_value(row.metric, spec, row.launch);
    EXPECT_EQ(found.value.has_value(), row.value > 0);
    EXPECT_DOUBLE_EQ(found.value.value_or(0), row.value);
    EXPECT_NE(found.why_missing.find(row.why_missing), std::string::npos) << found.why_missing;
    EXPECT_EQ(found.why_missing.empty(), found.value.has_value());
  }
}

// Returns a launch with READINGS readings, one after each window of STEPS steps. BYTES maps a step to its bytes.
Launch reading(std::size_t readings, std::int64_t steps, const std::function<double(double)>& bytes) {
  Launch launch;
  for (std::size_t i = 1; i <= readings; ++i) {
    const std::int64_t step = static_cast<std::int64_t>(i) * steps;
    launch.live_bytes.push_back({step, std::llround(bytes(static_cast<double>(step)))});
  }
  return launch;
}

TEST(Leak, IsGrowthToTheEnd) {
  const auto rising = [](double bytes) { return [bytes](double step) { return 5e8 + bytes * step; }; };
  const auto warming = [](double steps) {
    return [steps](double step) { return 5e8 + 1e8 * (1 - std::exp(-step / steps * 5)); };
  };
  const auto saw = [](double step) { return 5e8 + 3e7 * std::fmod(step, 7); };
  const std::tuple<const char*, Launch, bool> rows[] = {
      {"a megabyte a step", reading(10, 1, rising(1e6)), true},
      {"a megabyte a step in windows", reading(10, 10, rising(1e6)), true},
      {"a megabyte a step, often read", reading(64, 1, rising(1e6)), true},
      {"a megabyte a step, often read in windows", reading(64, 10, rising(1e6)), true},
      {"a page a step, too few steps", reading(64, 10, rising(4096)), false},
      {"a page a step", reading(64, 100, rising(4096)), true},
      {"an allocator warms up for 5 steps", reading(64, 1, warming(5)), false},
      {"an allocator warms up for 15 steps", reading(64, 1, warming(15)), false},
      {"an allocator warms up for 30 steps", reading(64, 1, warming(30)), false},
      {"growth that ends", reading(64, 1, [](double step) { return step < 40 ? 1e6 * step : 4e7; }), false},
      {"unsteady memory", reading(64, 1, saw), false},
      {"a few readings", reading(7, 1, rising(1e8)), false}};
  for (const auto& [what, launch, leaks] : rows) EXPECT_EQ(is_leaking(launch), leaks) << what;
  for (const std::size_t readings : {10U, 64U}) {
    for (const std::int64_t steps : {1, 10})
      EXPECT_NEAR(live_bytes_per_step(reading(readings, steps, rising(1e6))).value(), 1e6, 1);
  }
  EXPECT_LT(std::abs(live_bytes_per_step(reading(64, 1, saw)).value()), 1e6);
  EXPECT_EQ(live_bytes_per_step(reading(7, 1, rising(1e8))), std::nullopt);
}

}  // namespace
}  // namespace mpsbench::report
