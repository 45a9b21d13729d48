#include "report/metrics/resource_metrics.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace mpsbench::report {

namespace {

using schema::Launch;
using schema::sensor_record;
using tests::good_launch;

// Returns a launch of eight samples of 0.125 s, with SENSORS.
Launch measured(std::vector<schema::SensorRecord> sensors) {
  Launch launch = good_launch(std::vector<double>(8, 0.125));
  launch.sensors = std::move(sensors);
  return launch;
}

schema::CaseSpec spec_on(const schema::DeviceId& device) {
  schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, 64);
  spec.device = device;
  return spec;
}

MetricsAndNotes energy_of(const schema::CaseSpec& spec, const std::vector<Launch>& launches) {
  return compute_metrics(spec, {}, launches);
}

std::string note_of(const schema::CaseSpec& spec, const std::vector<Launch>& launches) {
  const MetricsAndNotes computed = energy_of(spec, launches);
  EXPECT_FALSE(computed.metrics.energy_joules_per_row);
  EXPECT_EQ(computed.metrics.energy_method, "none");
  return computed.notes.at("metrics.energy_joules_per_row");
}

TEST(Energy, IsTheCountersRiseOverTheRowsOfTheSamples) {
  const auto computed = energy_of(
      spec_on("cpu"), {measured({sensor_record("cpu_energy", 30)}), measured({sensor_record("cpu_energy", 50)})});
  EXPECT_DOUBLE_EQ(computed.metrics.energy_joules_per_row.value(), 80.0 / (2 * 8 * 64));
  EXPECT_EQ(computed.metrics.energy_method, "rapl package");
  EXPECT_FALSE(computed.notes.contains("metrics.energy_joules_per_row"));
}

TEST(Energy, CountsTheRowsOfAKeptLastBatch) {
  schema::CaseSpec spec = spec_on("cpu");
  spec.last_batch = schema::LastBatch::keep;
  Launch launch = measured({sensor_record("cpu_energy", 30)});
  launch.epochs = {{1.0, 8, 7 * 64 + 5}};
  EXPECT_DOUBLE_EQ(energy_of(spec, {launch}).metrics.energy_joules_per_row.value(), 30.0 / (7 * 64 + 5));
}

TEST(Energy, CountsTheMemoryWhereItHasACounter) {
  const auto metrics =
      energy_of(spec_on("cpu"), {measured({sensor_record("cpu_energy", 30), sensor_record("dram_energy", 2)})}).metrics;
  EXPECT_DOUBLE_EQ(metrics.energy_joules_per_row.value(), 32.0 / 512);
  EXPECT_EQ(metrics.energy_method, "rapl package and dram");
}

TEST(Energy, OfAGpuIsTheGpus) {
  Launch launch = measured({sensor_record("cpu_energy", 30), sensor_record("gpu_energy", 640)});
  launch.steps_per_sample = 20;
  const auto metrics = energy_of(spec_on("cuda:1"), {launch}).metrics;
  EXPECT_DOUBLE_EQ(metrics.energy_joules_per_row.value(), 640.0 / (8 * 20 * 64));
  EXPECT_EQ(metrics.energy_method, "nvml");
}

schema::CaseSpec of_two_ranks(const schema::DeviceId& device) {
  schema::CaseSpec spec = spec_on(device);
  spec.ranks = 2;
  return spec;
}

TEST(Energy, OfSeveralGpusIsTheirSum) {
  Launch launch = measured({sensor_record("gpu_energy", 30)});
  const schema::CaseSpec spec = of_two_ranks("cuda");
  EXPECT_EQ(note_of(spec, {launch}), "the counters of other ranks were not read");
  launch.ranks = {{.device = "cuda"}, {.rank = 1, .device = "cuda:1", .sensors = {sensor_record("gpu_energy", 50)}}};
  EXPECT_DOUBLE_EQ(energy_of(spec, {launch}).metrics.energy_joules_per_row.value(), 80.0 / (8 * 2 * 64));
  launch.ranks[1].sensors.clear();
  launch.ranks[1].sensor_notes = {{"gpu_energy", "too old"}};
  EXPECT_EQ(note_of(spec, {launch}), "rank 1: too old");
}

TEST(Energy, OfProcessesOnTheCpuIsThatOfTheirMachines) {
  Launch launch = measured({sensor_record("cpu_energy", 30)});
  launch.ranks = {{.device = "cpu"}, {.rank = 1, .device = "cpu", .sensors = {sensor_record("cpu_energy", 30)}}};
  const auto joules = [&] {
    return energy_of(of_two_ranks("cpu"), {launch}).metrics.energy_joules_per_row.value() * (8 * 2 * 64);
  };
  EXPECT_DOUBLE_EQ(joules(), 30);
  launch.ranks[1].host = "another";
  EXPECT_DOUBLE_EQ(joules(), 60);
}

TEST(Energy, CountsTheStepsThatWereRun) {
  Launch windows = measured({sensor_record("cpu_energy", 64)});
  windows.steps_per_sample = 10;
  schema::CaseSpec spec = spec_on("cpu");
  spec.max_batches = 75;  // the last window has 5 steps
  EXPECT_DOUBLE_EQ(energy_of(spec, {windows}).metrics.energy_joules_per_row.value(), 1.0 / 75);
  Launch epochs = measured({sensor_record("cpu_energy", 64)});
  epochs.epochs = {{0.5, 7, 448}, {0.5, 3, 192}};
  spec.epochs = 2;
  spec.max_batches.reset();
  EXPECT_DOUBLE_EQ(energy_of(spec, {epochs}).metrics.energy_joules_per_row.value(), 1.0 / 10);
}

TEST(Energy, LeavesOutLaunchesWithoutTheSameCounter) {
  const auto metrics =
      energy_of(spec_on("cpu"), {measured({}), measured({sensor_record("cpu_energy", 64)}),
                                 measured({sensor_record("cpu_energy", 1), sensor_record("dram_energy", 1)})})
          .metrics;
  EXPECT_DOUBLE_EQ(metrics.energy_joules_per_row.value(), 1.0 / 8);
  EXPECT_EQ(metrics.energy_method, "rapl package");
}

TEST(Energy, NeedsASecond) {
  Launch launch = measured({sensor_record("cpu_energy", 64)});
  launch.samples_seconds.pop_back();
  EXPECT_NE(note_of(spec_on("cpu"), {launch}).find("--min-time"), std::string::npos);
  EXPECT_TRUE(energy_of(spec_on("cpu"), {launch, launch}).metrics.energy_joules_per_row);
}

TEST(Energy, HasAReasonWhereThereIsNone) {
  EXPECT_EQ(note_of(spec_on("cpu"), {}), "no launch succeeded");
  EXPECT_EQ(note_of(spec_on("cpu"), {measured({sensor_record("gpu_energy", 1)})}), "no energy counter was read");
  Launch closed = measured({});
  closed.sensor_notes = {{"cpu_energy", "root only"}, {"gpu_energy", "too old"}};
  EXPECT_EQ(note_of(spec_on("cpu"), {closed}), "root only");
  EXPECT_EQ(note_of(spec_on("cuda"), {closed}), "too old");
}

constexpr double kMega = 1e6;

// Returns a launch with READINGS readings, one after each window of STEPS steps. BYTES maps a step to its
// bytes.
schema::Launch launch_of(std::size_t readings, std::int64_t steps, const std::function<double(double)>& bytes) {
  schema::Launch launch;
  for (std::size_t i = 1; i <= readings; ++i) {
    const std::int64_t step = static_cast<std::int64_t>(i) * steps;
    launch.live_bytes.push_back({step, std::llround(bytes(static_cast<double>(step)))});
  }
  return launch;
}

TEST(Leak, AMegabyteAStepIsFound) {
  for (const std::size_t readings : {10U, 64U}) {
    for (const std::int64_t steps : {1, 10}) {
      const auto launch = launch_of(readings, steps, [](double step) { return 5e8 + kMega * step; });
      EXPECT_TRUE(is_leaking(launch)) << readings << " readings of " << steps;
      EXPECT_NEAR(live_bytes_per_step(launch).value(), kMega, 1);
    }
  }
}

TEST(Leak, ASlowOneIsFoundWhenThereAreStepsEnough) {
  const auto leak = [](double step) { return 5e8 + 4096 * step; };
  EXPECT_FALSE(is_leaking(launch_of(64, 10, leak)));
  EXPECT_TRUE(is_leaking(launch_of(64, 100, leak)));
}

TEST(Leak, AWarmingAllocatorIsNone) {
  for (const double steps_to_warm : {5.0, 15.0, 30.0}) {
    const auto launch =
        launch_of(64, 1, [&](double step) { return 5e8 + 1e8 * (1 - std::exp(-step / steps_to_warm * 5)); });
    EXPECT_FALSE(is_leaking(launch)) << steps_to_warm;
  }
  EXPECT_FALSE(is_leaking(launch_of(64, 1, [](double step) { return step < 40 ? kMega * step : 4e7; })));
}

TEST(Leak, UnsteadyMemoryIsNone) {
  const auto saw = launch_of(64, 1, [](double step) { return 5e8 + 3e7 * std::fmod(step, 7); });
  EXPECT_FALSE(is_leaking(saw));
  EXPECT_LT(std::abs(live_bytes_per_step(saw).value()), kMega);
}

TEST(Leak, AFewReadingsTellNothing) {
  const auto launch = launch_of(7, 1, [](double step) { return 1e8 * step; });
  EXPECT_FALSE(is_leaking(launch));
  EXPECT_EQ(live_bytes_per_step(launch), std::nullopt);
}

}  // namespace

}  // namespace mpsbench::report
