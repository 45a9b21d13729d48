// The objects of reports and messages in JSON. Each is read back as it was written, has exactly its keys, writes
// null for what it has not, and is refused with the place and the reason.
#include "schema/device_status.hpp"
#include "schema/network_plan.hpp"
#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

#include <initializer_list>

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::json;
using tests::reparsed;

// What is read is written again.
template <typename T>
json again(const base::Reader& reader) {
  return reparsed(to_json(from_json<T>(reader)));
}

struct Sample {
  json document;
  json (*again)(const base::Reader&);
};

template <typename T>
Sample sample(const T& value) {
  return {reparsed(to_json(value)), again<T>};
}

// A launch with everything that only some have.
Launch launch_of_ranks() {
  Launch launch = tests::full_launch();
  launch.communication = Communication{0.5, 0.125, 102'400, 3};
  launch.agreement = {{Reference::cpu, Compared::output, 0.25, 0.5},
                      {Reference::eager, Compared::gradients, std::nullopt, 0.5}};
  launch.ranks = {{.rank = 0,
                   .device = "cuda:0",
                   .first_step_seconds = 0.25,
                   .peak_resident_bytes = 1000,
                   .peak_device_bytes = 2000,
                   .peak_reserved_bytes = 3000,
                   .samples_seconds = {0.1, 0.2},
                   .compute_step_seconds = 0.05},
                  {.rank = 1,
                   .device = "cuda:1",
                   .device_name = "NVIDIA H100",
                   .host = "other",
                   .status = Status::oom,
                   .failure = Failure{"oom", "needs 14 GiB", "last words"},
                   .working_threads = WorkingThreads{2, "0-1"},
                   .peak_resident_bytes = 4000,
                   .sensors = {sensor_record(sensor::kGpuEnergy, 640)},
                   .sensor_notes = {{sensor::kGpuThrottled, "too old"}}}};
  return launch;
}

DeviceStatus full_status() {
  DeviceStatus status{.device = "mps", .name = "Apple M1 Max", .built_in = true, .usable = true};
  status.memory_bytes = 1'000'000;
  status.free_bytes = 500'000;
  status.capability = "9.0";
  status.unified_memory = true;
  status.precisions = {{Precision::fp32, ""}, {Precision::tf32, "it has no tf32"}};
  status.engines = {{Engine::eager, ""}, {Engine::graph, "it has no graphs"}};
  return status;
}

CaseSpec bare_spec() {
  CaseSpec spec = tests::full_spec();
  spec.mode = Mode::data;
  for (auto member : {&CaseSpec::classes, &CaseSpec::epochs, &CaseSpec::iterations, &CaseSpec::max_batches})
    (spec.*member).reset();
  spec.dropout.reset();
  spec.weights.reset();
  return spec;
}

Report bare_report() {
  Report report = tests::full_report();
  report.cases[0].metrics = Metrics{};
  report.cases[0].metrics.epoch_seconds.kind = "projected";
  report.cases[0].failure.reset();
  report.run.finished_at.reset();
  report.run.planned[0].weights_path.reset();
  report.run.planned[0].dump_first_step_path.reset();
  return report;
}

GateInfo gate_of_versus() {
  GateInfo gate = tests::full_run().gate.value();
  gate.baseline.reset();
  return gate;
}

RunInfo empty_run() {
  RunInfo run = tests::full_run();
  run.planned.clear();
  run.definitions.clear();
  return run;
}

TEST(Objects, AreReadBackAsTheyWereWritten) {
  for (const auto& [document, again] : {sample(tests::full_report()),
                                        sample(tests::full_result()),
                                        sample(tests::full_run()),
                                        sample(tests::full_spec()),
                                        sample(tests::full_plan()),
                                        sample(tests::full_published()),
                                        sample(launch_of_ranks()),
                                        sample(full_status()),
                                        sample(OptimizerSpec{"adamw", {{"beta1", 0.9}, {"amsgrad", 0}}}),
                                        sample(bare_report()),
                                        sample(bare_spec()),
                                        sample(empty_run()),
                                        sample(gate_of_versus()),
                                        sample(Launch{}),
                                        sample(HostInfo{}),
                                        sample(MeasureSpec{}),
                                        sample(Ceiling{}),
                                        sample(ToolInfo{}),
                                        sample(LibtorchInfo{}),
                                        sample(Network{}),
                                        sample(Published{})})
    EXPECT_EQ(again(base::Reader(document, "f.json")), document);
}

// The keys of reports stand in their JSON Schema.
TEST(Objects, HaveExactlyTheirKeys) {
  tests::expect_exact_keys(reparsed(to_json(tests::full_run())), from_json<RunInfo>, {},
                           {"/definitions", "/planned/0/spec"});
  tests::expect_exact_keys(reparsed(to_json(full_status())), from_json<DeviceStatus>);
  tests::expect_exact_keys(reparsed(to_json(tests::full_plan())), from_json<NetworkPlan>,
                           {"/nodes/0/tensors/0/zero_row", "/nodes/0/tensors/0/quantized"}, {"/nodes/0/options"});
}

TEST(Objects, WriteNullForWhatTheyHaveNotUnlessItIsAbsent) {
  const json launch = reparsed(to_json(Launch{}));
  EXPECT_TRUE(launch.at("first_step_seconds").is_null() && launch.at("peak_resident_bytes").is_null());
  EXPECT_EQ(launch.at("samples_seconds"), json::array());
  EXPECT_FALSE(launch.contains("ranks") || launch.contains("communication"));
  EXPECT_EQ(reparsed(to_json(HostInfo{})).at("environment"), json::object());
  EXPECT_TRUE(reparsed(to_json(Metrics{})).at("step_seconds").at("p90").is_null());
  EXPECT_EQ(reparsed(to_json(sensor_record(sensor::kOtherCpuShare, 0.01))),
            (json{{"name", "other_cpu_share"}, {"unit", "1"}, {"value", 0.01}}));
}

// A change that makes an object bad, and a part of the message.
struct Bad {
  const char* pointer;
  json value;  // discarded: the key is removed
  std::string says = ": expected ";
};

const json kRemoved(json::value_t::discarded);

void expect_refused(const Sample& good, std::initializer_list<Bad> changes) {
  for (const Bad& bad : changes) {
    const json document = bad.value.is_discarded() ? tests::without(good.document, bad.pointer)
                                                   : tests::with(good.document, bad.pointer, bad.value);
    const std::string message = tests::refusal(document, good.again);
    EXPECT_TRUE(contains(message, bad.says)) << bad.pointer << " " << bad.value << ": " << message;
  }
}

// The bounds of all members stand in the report's JSON Schema, which another test compares. Here is one member of
// each kind.
TEST(Objects, RefuseWhatCannotBe) {
  expect_refused(sample(tests::full_spec()),
                 {{"/batch_size", 0},
                  {"/batch_size", 1.5},
                  {"/batch_size", true},
                  {"/seed", -1},
                  {"/seed", 9223372036854775808U},
                  {"/affinity", "3-1"},
                  {"/affinity", 1},
                  {"/data_files", {{"a", 1}}},
                  {"/dropout", 1.5},
                  {"/as_published", 1},
                  {"/model", nullptr},
                  {"/optimizer", "sgd"},
                  {"/optimizer/lr", "fast"},
                  {"/optimizer/name", kRemoved, "$.optimizer: the key 'name'"},
                  {"/mode", "test", "f.json: $.mode: unknown mode \"test\"; known: train, infer, generate, data"},
                  {"/device", "tpu", "f.json: $.device: unknown device \"tpu\""}});
  expect_refused(sample(tests::full_measure()), {{"/warmup", "soon", "$.warmup: expected auto, "},
                                                 {"/max_time_seconds", nullptr},
                                                 {"/max_time_seconds", 1e10, "$.max_time_seconds"}});
  expect_refused(sample(tests::full_run().gate.value()), {{"/alpha", 0, "$.alpha: "},
                                                          {"/baseline/sha256", "abc", "64 hexadecimal digits"},
                                                          {"/baseline/sha256", std::string(64, 'G'), "64 hex"}});
  expect_refused(sample(tests::full_published()),
                 {{"/cautions/1", "odd", "f.json: $.cautions[1]: expected mislabelled-workload or "},
                  {"/speed_up", 0, "f.json: $.speed_up: expected"}});
  expect_refused(sample(tests::full_host()),
                 {{"/memory_bytes", -1},
                  {"/cpu/features", {1}},
                  {"/environment/OMP_NUM_THREADS", 4},
                  {"/accelerators", json::object()},
                  {"/libtorch/version", nullptr},
                  {"/ceilings/0/bytes_per_second", 0},
                  {"/ceilings/0/matmul_flops_per_second/fp32", "fast"},
                  {"/ceilings/0/bus_bytes_per_second/2", -1.5},
                  {"/ceilings/0/bus_bytes_per_second", {{"1", 1e9}}, "a whole number from 2 on as the key"},
                  {"/interconnect/pairs/0/path", "string", "path between GPUs"}});
  expect_refused(sample(full_status()), {{"/engines/1/name", "jit", "f.json: $.engines[1].name: unknown engine"}});
  expect_refused(sample(launch_of_ranks()),
                 {{"/samples_seconds/2", nullptr, "f.json: $.samples_seconds[2]: expected a number, found null"},
                  {"/losses/0", "nan", "$.losses[0]: expected a number"},
                  {"/communication/bytes", kRemoved, "$.communication"},
                  {"/ranks/1/place", "b", "$.ranks[1]"},
                  {"/ranks/0/samples_seconds/1", -1, "$.ranks[0].samples_seconds[1]"}});
  expect_refused(sample(tests::full_result().metrics),
                 {{"/test_accuracy", 1.5, "f.json: $.test_accuracy: expected a number from 0 to 1, found 1.5"},
                  {"/epoch_seconds/kind", "guessed", "f.json: $.epoch_seconds.kind: expected measured or projected"},
                  {"/step_seconds/ci95", {2, 1}, "f.json: $.step_seconds.ci95: expected [low, high]"},
                  {"/step_seconds/ci95", {1}, "ci95: expected [low, high]"},
                  {"/step_seconds/ci95", {1, "2"}, "ci95[1]: expected a number"}});
  for (const MetricField& metric : kMetricFields) EXPECT_STRNE(metric.about.meaning, "") << metric.key;
}

TEST(Objects, RefuseANetworkThatCannotBe) {
  const std::string unknown = "unknown dtype \"complex64\"; known: float32, int64, bool";
  expect_refused(sample(tests::full_plan()), {{"/slots", -1},
                                              {"/slots", 2147483648U},
                                              {"/nodes/0/inputs/0", -1},
                                              {"/nodes/0/output", 0.5},
                                              {"/nodes/0/release", 0},
                                              {"/inputs/0/shape/0", -2},
                                              {"/parameters", -1},
                                              {"/nodes/0/tensors/0/zero_row", -1},
                                              {"/target_shape", "x"},
                                              {"/inputs/0/dtype", "complex64", unknown},
                                              {"/nodes/0/tensors/0/dtype", "complex64", unknown},
                                              {"/target_dtype", "complex64", unknown}});
}

}  // namespace
}  // namespace mpsbench::schema
