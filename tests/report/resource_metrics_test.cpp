// What a case used: energy and memory.
#include "report/metric_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::CaseSpec;
using schema::Launch;
using schema::sensor_record;
using tests::good_launch;
using tests::kKnown;
using tests::none;
using tests::with;

constexpr const char* kEnergy = "energy_joules_per_row";

// Returns a launch of eight samples of 0.125 s, with SENSORS.
Launch measured(std::vector<schema::SensorRecord> sensors) {
  return with(good_launch(std::vector<double>(8, 0.125)), [&](Launch& launch) { launch.sensors = std::move(sensors); });
}

Launch on_cpu(double joules) {
  return measured({sensor_record("cpu_energy", joules)});
}

CaseSpec spec_on(const schema::DeviceId& device, std::int64_t ranks = 1) {
  return with(tests::training(), [&](CaseSpec& spec) {
    spec.device = device;
    spec.ranks = ranks;
  });
}

// Returns LAUNCH with a second rank.
Launch with_rank(Launch launch, schema::RankResult second) {
  second.rank = 1;
  launch.ranks = {{.device = second.device}, std::move(second)};
  return launch;
}

nlohmann::json joules(double per_row, const char* method) {
  return {{kEnergy, per_row}, {"energy_method", method}};
}

nlohmann::json no_joules(const char* why) {
  return {{kEnergy, none(why)}, {"energy_method", "none"}};
}

TEST(Metrics, OfEnergy) {
  constexpr const char* kPackage = "rapl package";
  const Launch on_gpu = with(measured({sensor_record("cpu_energy", 30), sensor_record("gpu_energy", 640)}),
                             [](Launch& launch) { launch.steps_per_sample = 20; });
  const Launch one_gpu = measured({sensor_record("gpu_energy", 30)});
  const Launch windows = with(on_cpu(64), [](Launch& launch) { launch.steps_per_sample = 10; });
  const auto of_epochs = [](Launch launch, std::vector<schema::EpochRecord> epochs) {
    launch.epochs = std::move(epochs);
    return launch;
  };
  tests::expect_all({
      {"the counter's rise over the rows", {on_cpu(30), on_cpu(50)}, joules(80.0 / (2 * 8 * 64), kPackage)},
      {"the rows of a kept last batch",
       {of_epochs(on_cpu(30), {{1.0, 8, 7 * 64 + 5}})},
       joules(30.0 / (7 * 64 + 5), kPackage),
       with(spec_on("cpu"), [](CaseSpec& spec) { spec.last_batch = schema::LastBatch::keep; })},
      {"with the memory's counter",
       {measured({sensor_record("cpu_energy", 30), sensor_record("dram_energy", 2)})},
       joules(32.0 / 512, "rapl package and dram")},
      {"a GPU's", {on_gpu}, joules(640.0 / (8 * 20 * 64), "nvml"), spec_on("cuda:1")},
      {"the sum over GPUs",
       {with_rank(one_gpu, {.device = "cuda:1", .sensors = {sensor_record("gpu_energy", 50)}})},
       joules(80.0 / (8 * 2 * 64), "nvml"),
       spec_on("cuda", 2)},
      {"of one machine",
       {with_rank(on_cpu(30), {.device = "cpu", .sensors = {sensor_record("cpu_energy", 30)}})},
       joules(30.0 / (8 * 2 * 64), kPackage),
       spec_on("cpu", 2)},
      {"the sum over machines",
       {with_rank(on_cpu(30), {.device = "cpu", .host = "another", .sensors = {sensor_record("cpu_energy", 30)}})},
       joules(60.0 / (8 * 2 * 64), kPackage),
       spec_on("cpu", 2)},
      {"the last window has 5 steps",
       {windows},
       joules(1.0 / 75, kPackage),
       with(spec_on("cpu"), [](CaseSpec& spec) { spec.max_batches = 75; })},
      {"the steps of epochs",
       {of_epochs(on_cpu(64), {{0.5, 7, 448}, {0.5, 3, 192}})},
       joules(1.0 / 10, kPackage),
       with(spec_on("cpu"), [](CaseSpec& spec) { spec.epochs = 2; })},
      {"launches without the same counter are left out",
       {measured({}), on_cpu(64), measured({sensor_record("cpu_energy", 1), sensor_record("dram_energy", 1)})},
       joules(1.0 / 8, kPackage)},
  });
}

TEST(Metrics, OfEnergyThatIsNotKnown) {
  const Launch short_one = with(on_cpu(64), [](Launch& launch) { launch.samples_seconds.pop_back(); });
  const Launch closed = with(measured({}), [](Launch& launch) {
    launch.sensor_notes = {{"cpu_energy", "root only"}, {"gpu_energy", "too old"}};
  });
  const Launch one_gpu = measured({sensor_record("gpu_energy", 30)});
  tests::expect_all({
      {"two launches of a second", {short_one, short_one}, {{kEnergy, kKnown}}},
      {"less", {short_one}, no_joules("--min-time")},
      {"no launch", {}, no_joules("no launch succeeded")},
      {"no counter", {one_gpu}, no_joules("no energy counter was read")},
      {"closed", {closed}, no_joules("root only")},
      {"too old", {closed}, no_joules("too old"), spec_on("cuda")},
      {"one of two GPUs", {one_gpu}, no_joules("the counters of other ranks were not read"), spec_on("cuda", 2)},
      {"the other rank says why",
       {with_rank(one_gpu, {.device = "cuda:1", .sensor_notes = {{"gpu_energy", "too old"}}})},
       no_joules("rank 1: too old"),
       spec_on("cuda", 2)},
  });
}

TEST(Metrics, OfMemory) {
  const Launch compared = with(good_launch({1, 1}, 9), [](Launch& launch) {
    launch.agreement = {{schema::Reference::cpu, schema::Compared::output, 0.01, 0.1}};
    launch.peak_device_bytes = 700;
  });
  const Launch tried =
      with(good_launch({1, 1}, 8), [](Launch& launch) { launch.sensor_notes = {{"agreement", "out of memory"}}; });
  tests::expect_all({
      {"the largest launch",
       {good_launch({1, 1}, 0), good_launch({1, 1}, 5), good_launch({1, 1}, 2)},
       {{"peak_resident_bytes", 400'000'005}, {"peak_device_bytes", none("peak_resident_bytes")}}},
      {"of launches that held no copies; the device's peak begins after the comparison",
       {compared, tried, good_launch({1, 1}, 5), good_launch({1, 1}, 6)},
       {{"peak_resident_bytes", 400'000'006}, {"peak_device_bytes", 700}}},
      {"all held copies", {compared, tried}, {{"peak_resident_bytes", 400'000'009}}},
  });
}

}  // namespace
}  // namespace mpsbench::report
