// For schema_test.py. Without an argument, prints a report. With a file as its argument, reads that file as
// mpsbench does, and exits with 2 if it is refused.
#include "base/error.hpp"
#include "base/json_file.hpp"
#include "report/metrics/assemble.hpp"
#include "support/sample_run.hpp"

#include <cstdio>
#include <string>

namespace {

using namespace mpsbench;
using schema::Mode;

// Returns a good, a failed, an unfinished and a published case. Every field occurs with a value, and every
// optional field also as null.
schema::Report sample_report() {
  schema::CaseSpec infer = tests::sample_spec("mlp", Mode::infer, 1);
  infer.weights = "w.safetensors";
  infer.max_batches = 10;
  schema::CaseSpec epoch = tests::sample_spec("mlp", Mode::train, 64);
  epoch.rows = 64;
  epoch.epochs = 1;
  schema::RunRecord record = tests::sample_run(
      {infer, tests::sample_spec("mlp", Mode::train, 128), epoch, tests::sample_spec("mlp", Mode::train, 256)}, 2);
  record.run.planned[0].weights_path = "/home/alice/w.safetensors";
  record.host.accelerators = {{"mps", "Apple M1", std::nullopt}};
  record.host.interconnect = {.numa_nodes = {0, std::nullopt},
                              .pairs = {{0, 1, schema::GpuPath::node, 0, std::nullopt}}};
  record.host.network = {.interface = "eth0", .bits_per_second = std::nullopt, .infiniband = {{"mlx5_0", 1, 4e11}}};
  record.host.ceilings = {{"cpu", 2, "2026-11-21T10:02:03Z", {{schema::Precision::fp32, 1e11}}, 2e10}};
  record.host.environment = {{"OMP_NUM_THREADS", "2"}};
  record.host.disk_total_bytes = 1 << 30;
  record.host.gpu_cores = 8;
  const auto id = [&](std::size_t index) { return record.run.planned[index].id; };
  record.launches[id(0)] = {tests::good_launch(tests::steady_samples(0.001, 700), 0),
                            tests::good_launch(tests::steady_samples(0.001, 700), 1)};
  record.launches[id(1)] = {tests::bad_launch(schema::Status::oom, "out of memory", 0),
                            tests::bad_launch(schema::Status::skipped, "after out of memory", 1)};
  record.launches[id(1)][0].ranks = {
      {0,
       "cuda:0",
       "NVIDIA H100",
       {},
       schema::Status::ok,
       std::nullopt,
       0.25,
       schema::WorkingThreads{2, "0-1"},
       1000,
       2000,
       3000,
       {0.001, 0.002},
       0.001},
      {1, "cuda:1", {}, "other", schema::Status::oom, record.launches[id(1)][0].failure, {}, {}, {}, {}, {}}};
  record.launches[id(1)][0].ranks[1].sensors = {schema::sensor_record(schema::sensor::kGpuEnergy, 640)};
  record.launches[id(1)][0].ranks[1].sensor_notes = {{schema::sensor::kGpuThrottled, "too old"}};
  record.launches[id(1)][0].communication = schema::Communication{0.001, 0.0005, 4000, 1};
  record.launches[id(2)] = {tests::good_launch({0.01}, 0)};
  record.launches[id(2)][0].epochs = {{0.01, 1, 64}};
  record.launches[id(2)][0].losses = {2.3, std::nullopt};
  schema::Report report = report::assemble(record);
  report.cases[3].published = {"a file", "https://example.org/a",   {"coarse-resolution"}, "",
                               2.5,      {{"total_minutes", 51.44}}};
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 1) {
      std::puts(base::to_text(schema::to_json(sample_report()), 1).c_str());
      return 0;
    }
    const nlohmann::json document = base::read_large_json_file(argv[1]);
    (void)schema::from_json<schema::Report>(base::Reader(document, argv[1]));
    return 0;
  } catch (const base::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(base::exit_code(error.kind()));
  }
}
