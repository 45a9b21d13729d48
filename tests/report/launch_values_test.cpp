#include "report/metrics/launch_values.hpp"

#include "stats/summary.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::GatedMetric;
using schema::Launch;
using tests::good_launch;

schema::CaseSpec spec_of(schema::Mode mode, const schema::DeviceId& device) {
  schema::CaseSpec spec = tests::sample_spec("mlp", mode, 64);
  spec.device = device;
  return spec;
}

// Rising times: 1 ms, 2 ms, ...
std::vector<double> rising_times(std::size_t count) {
  std::vector<double> samples;
  for (std::size_t i = 1; i <= count; ++i) samples.push_back(0.001 * static_cast<double>(i));
  return samples;
}

TEST(LaunchValue, OfTheStepIsTheMedian) {
  const schema::CaseSpec spec = spec_of(schema::Mode::train, "cpu");
  EXPECT_EQ(launch_value(GatedMetric::step, spec, good_launch({3, 1, 2})).value, 2);
  EXPECT_FALSE(launch_value(GatedMetric::step, spec, good_launch({})).value);
  EXPECT_FALSE(launch_value(GatedMetric::step, spec, good_launch({0, 0, 1})).value) << "no logarithm";
}

TEST(LaunchValue, OfTheLatencyIsThe99thPercentileOfSingleSteps) {
  const schema::CaseSpec on_cpu = spec_of(schema::Mode::infer, "cpu");
  const auto p99 = [](const schema::CaseSpec& spec, const Launch& launch) {
    return launch_value(GatedMetric::latency_p99, spec, launch);
  };
  Launch launch = good_launch(rising_times(1001));
  EXPECT_DOUBLE_EQ(p99(on_cpu, launch).value.value(), 0.991);
  launch.steps_per_sample = 2;
  EXPECT_EQ(p99(on_cpu, launch).why_missing, "steps are too short to time each; use a larger --batch-size");
  const schema::CaseSpec on_gpu = spec_of(schema::Mode::infer, "cuda");
  EXPECT_FALSE(p99(on_gpu, launch).value);
  launch.latency_samples_seconds = rising_times(2001);
  EXPECT_DOUBLE_EQ(p99(on_gpu, launch).value.value(), 1.981);
  EXPECT_EQ(p99(spec_of(schema::Mode::train, "cuda"), launch).why_missing, "only inference has a latency");
}

TEST(LaunchValue, OfTheLatencyNeedsEnoughSamples) {
  const schema::CaseSpec spec = spec_of(schema::Mode::infer, "cpu");
  const std::size_t needed = stats::samples_for_percentile(99);
  EXPECT_TRUE(launch_value(GatedMetric::latency_p99, spec, good_launch(rising_times(needed))).value);
  EXPECT_EQ(launch_value(GatedMetric::latency_p99, spec, good_launch(rising_times(needed - 1))).why_missing,
            "a launch has 661 of 662 samples; use --min-samples 662 and a longer --max-time");
}

TEST(LaunchValue, OfTheMemoryIsTheDevicesIfItHasItsOwn) {
  const schema::CaseSpec spec = spec_of(schema::Mode::train, "cuda");
  Launch launch = good_launch({1});
  launch.peak_resident_bytes = 200;
  EXPECT_EQ(launch_value(GatedMetric::peak_memory, spec, launch).value, 200);
  launch.peak_device_bytes = 100;
  EXPECT_EQ(launch_value(GatedMetric::peak_memory, spec, launch).value, 100);
  launch.peak_device_bytes.reset();
  launch.peak_resident_bytes.reset();
  EXPECT_EQ(launch_value(GatedMetric::peak_memory, spec, launch).why_missing, "the system does not report it");
}

TEST(LaunchValue, OfTheEnergyIsPerRow) {
  const schema::CaseSpec spec = spec_of(schema::Mode::train, "cpu");
  Launch launch = good_launch(std::vector<double>(8, 0.125));
  EXPECT_EQ(launch_value(GatedMetric::energy, spec, launch).why_missing, "no energy counter was read");
  launch.sensors = {schema::sensor_record("cpu_energy", 30)};
  EXPECT_DOUBLE_EQ(launch_value(GatedMetric::energy, spec, launch).value.value(), 30.0 / (8 * 64));
  launch.samples_seconds.pop_back();
  EXPECT_TRUE(tests::contains(launch_value(GatedMetric::energy, spec, launch).why_missing, "--min-time"));
}

}  // namespace
}  // namespace mpsbench::report
