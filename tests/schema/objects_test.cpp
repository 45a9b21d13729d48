// The objects of reports and messages in JSON. Each is read back as it was written, has exactly its keys, writes
// null for what it has not, and is refused with the place and the reason.
#include "schema/device_status.hpp"
#include "schema/network_plan.hpp"
#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

#include <initializer_list>
#include <set>

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::json;
using tests::reparsed;

using Places = std::set<std::string>;

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

TEST(Objects, HaveExactlyTheirKeys) {
  const Places percentiles{"/cases/0/metrics/step_seconds/percentiles", "/cases/0/metrics/latency_seconds/percentiles"};
  Places optional{"/cases/0/launches/0/working_threads", "/cases/0/launches/0/sensors/1/min",
                  "/cases/0/launches/0/sensors/1/max"};
  optional.insert(percentiles.begin(), percentiles.end());
  Places maps{"/run/definitions",
              "/run/planned/0/spec",
              "/host/environment",
              "/host/ceilings/0/matmul_flops_per_second",
              "/cases/0/spec",
              "/host/ceilings/0/bus_bytes_per_second",
              "/cases/0/notes",
              "/cases/0/launches/0/backend",
              "/cases/0/launches/0/sensor_notes"};
  maps.insert(percentiles.begin(), percentiles.end());
  tests::expect_exact_keys(reparsed(to_json(tests::full_report())), from_json<Report>, optional, maps);
  tests::expect_exact_keys(reparsed(to_json(tests::full_spec())), from_json<CaseSpec>, {},
                           {"/optimizer", "/data_files"});
  tests::expect_exact_keys(reparsed(to_json(tests::full_published())), from_json<Published>, {}, {"/figures"});
  tests::expect_exact_keys(reparsed(to_json(full_status())), from_json<DeviceStatus>);
  tests::expect_exact_keys(reparsed(to_json(tests::full_plan())), from_json<NetworkPlan>,
                           {"/nodes/0/tensors/0/zero_row"}, {"/nodes/0/options"});
  tests::expect_exact_keys(
      reparsed(to_json(launch_of_ranks())), from_json<Launch>,
      {"/working_threads", "/sensors/1/min", "/sensors/1/max", "/communication", "/agreement", "/ranks",
       "/ranks/0/samples_seconds", "/ranks/0/compute_step_seconds", "/ranks/1/device_name", "/ranks/1/host",
       "/ranks/1/working_threads", "/ranks/1/sensors", "/ranks/1/sensor_notes"},
      {"/backend", "/sensor_notes", "/ranks/1/sensor_notes"});
}

TEST(Objects, WriteNullAndNeverZeroForWhatTheyHaveNot) {
  const std::initializer_list<std::pair<json, std::vector<const char*>>> rows{
      {reparsed(to_json(bare_spec())), {"/classes", "/dropout", "/weights", "/epochs", "/iterations", "/max_batches"}},
      {reparsed(to_json(Launch{})),
       {"/failure", "/first_step_seconds", "/setup_seconds", "/peak_resident_bytes", "/peak_device_bytes",
        "/peak_reserved_bytes", "/enqueue_seconds", "/self_test", "/event_check", "/step_parts"}},
      {reparsed(to_json(HostInfo{})),
       {"/cpu/physical_cores", "/cpu/performance_cores", "/cpu/efficiency_cores", "/cpu/governor", "/swap_used_bytes",
        "/disk_free_bytes", "/disk_total_bytes", "/gpu_cores", "/load_average", "/libtorch", "/interconnect",
        "/network", "/power/source", "/power/mode"}},
      {reparsed(to_json(Metrics{})),
       {"/step_seconds/median",    "/step_seconds/mean",     "/step_seconds/stddev",  "/step_seconds/min",
        "/step_seconds/max",       "/step_seconds/p90",      "/step_seconds/p99",     "/step_seconds/ci95",
        "/latency_seconds/median", "/rows_per_second/value", "/rows_per_second/ci95", "/epoch_seconds/value",
        "/epoch_seconds/ci95",     "/flops_per_second",      "/bytes_per_second",     "/ceiling_share",
        "/peak_device_bytes",      "/peak_reserved_bytes",   "/peak_resident_bytes",  "/data_wait_share",
        "/energy_joules_per_row"}}};
  for (const auto& [document, pointers] : rows) {
    for (const char* pointer : pointers) EXPECT_TRUE(document.at(json::json_pointer(pointer)).is_null()) << pointer;
  }
}

TEST(Objects, WriteEmptyListsUnlessTheyAreAbsent) {
  const json launch = reparsed(to_json(Launch{}));
  for (const char* key : {"samples_seconds", "latency_samples_seconds", "warmup_samples_seconds", "unmet", "losses",
                          "epochs", "sensors", "event_samples_seconds"})
    EXPECT_EQ(launch.at(key), json::array()) << key;
  for (const char* key : {"agreement", "ranks", "communication", "working_threads"}) {
    EXPECT_FALSE(launch.contains(key)) << key;
  }
  const json ranks = reparsed(to_json(launch_of_ranks())).at("ranks");
  EXPECT_FALSE(ranks[0].contains("host"));
  for (const char* key : {"samples_seconds", "compute_step_seconds"}) EXPECT_FALSE(ranks[1].contains(key)) << key;
  const json host = reparsed(to_json(HostInfo{}));
  EXPECT_EQ(host.at("environment"), json::object());
  for (const char* key : {"accelerators", "ceilings"}) EXPECT_EQ(host.at(key), json::array()) << key;
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

TEST(Objects, RefuseACaseThatCannotBe) {
  const auto unknown = [](const char* key, const char* what, const char* known) {
    return Bad{key, "zzzzzzzz", std::string(": unknown ") + what + " \"zzzzzzzz\"; known: " + known};
  };
  expect_refused(sample(tests::full_spec()),
                 {{"/batch_size", 0},
                  {"/batch_size", 1.5},
                  {"/batch_size", true},
                  {"/rows", 0},
                  {"/seed", -1},
                  {"/seed", 9223372036854775808U},
                  {"/threads", 0},
                  {"/interop_threads", 0},
                  {"/ranks", 0},
                  {"/bucket_bytes", 0},
                  {"/affinity", "3-1"},
                  {"/affinity", 1},
                  {"/classes", 0},
                  {"/max_length", 0},
                  {"/data_files", {{"a", 1}}},
                  {"/dropout", 1.5},
                  {"/dropout", -0.1},
                  {"/epochs", 0},
                  {"/max_batches", 0},
                  {"/iterations", 0},
                  {"/as_published", 1},
                  {"/model", nullptr},
                  {"/channels_last", 1},
                  {"/weights", 1},
                  {"/optimizer", "sgd"},
                  {"/optimizer/lr", "fast"},
                  {"/optimizer/name", kRemoved, "$.optimizer: the key 'name'"},
                  {"/mode", "test", "f.json: $.mode: unknown mode \"test\"; known: train, infer, data"},
                  unknown("/precision", "precision", "fp32, tf32, bf16, fp16"),
                  unknown("/engine", "engine", "eager, graph, compiled, compiled-graph"),
                  unknown("/compile_mode", "compile mode", "default, max-autotune"),
                  unknown("/scaling", "scaling", "weak, strong"),
                  unknown("/dataset", "data set", "synthetic, cifar10, mnist, trec"),
                  unknown("/input", "input", "device, host"),
                  unknown("/pad", "pad", "max, longest"),
                  unknown("/tokenize", "way to tokenize", "once, batch"),
                  unknown("/trec_labels", "version of trec's labels", "1.1.0, 2.0.0"),
                  unknown("/last_batch", "last batch", "drop, keep"),
                  unknown("/shuffle", "shuffle", "on, off"),
                  unknown("/device", "device", "cpu, mps, cuda, cuda:N")});
}

TEST(Objects, RefuseARunThatCannotBe) {
  expect_refused(sample(tests::full_measure()), {{"/warmup", "soon", "$.warmup: expected auto, "},
                                                 {"/min_time_seconds", -1},
                                                 {"/min_time_seconds", nullptr},
                                                 {"/max_time_seconds", -1},
                                                 {"/max_time_seconds", nullptr},
                                                 {"/max_time_seconds", 1e10, "$.max_time_seconds"},
                                                 {"/max_noise", -1},
                                                 {"/max_noise", nullptr},
                                                 {"/min_samples", -1},
                                                 {"/min_samples", nullptr},
                                                 {"/min_samples", 0, "$.min_samples"}});
  expect_refused(sample(tests::full_run().gate.value()),
                 {{"/alpha", nullptr, "f.json: $.alpha: expected"},
                  {"/alpha", 0, "$.alpha: "},
                  {"/budget_seconds", nullptr, "f.json: $.budget_seconds: expected"},
                  {"/budget_seconds", -1, "$.budget_seconds: "},
                  {"/fail_on_regression", nullptr, "f.json: $.fail_on_regression: expected"},
                  {"/fail_on_undecided", nullptr, "f.json: $.fail_on_undecided: expected"},
                  {"/force", nullptr, "f.json: $.force: expected"},
                  {"/is_extended", nullptr, "f.json: $.is_extended: expected"},
                  {"/baseline/path", nullptr, "f.json: $.baseline.path: expected"},
                  {"/baseline/sha256", "abc", "64 hexadecimal digits"},
                  {"/baseline/sha256", std::string(64, 'G'), "64 hexadecimal digits"}});
  expect_refused(sample(tests::full_published()),
                 {{"/cautions/1", "odd", "f.json: $.cautions[1]: expected mislabelled-workload or "},
                  {"/speed_up", 0, "f.json: $.speed_up: expected"}});
}

TEST(Objects, RefuseAMachineThatCannotBe) {
  expect_refused(sample(tests::full_host()), {{"/memory_bytes", nullptr},
                                              {"/memory_bytes", -1},
                                              {"/cpu/logical_cores", 2.5},
                                              {"/cpu/features", {1}},
                                              {"/os/name", nullptr},
                                              {"/environment/OMP_NUM_THREADS", 4},
                                              {"/accelerators", json::object()},
                                              {"/ceilings", json::object()},
                                              {"/load_average", "busy"},
                                              {"/libtorch/openmp_runtimes", nullptr},
                                              {"/libtorch/version", nullptr},
                                              {"/interconnect/pairs/0/path", "string", "path between GPUs"}});
  for (const char* pointer : {"/matmul_flops_per_second/fp32", "/bytes_per_second", "/bus_bytes_per_second/2"})
    expect_refused(sample(tests::full_ceiling()), {{pointer, 0}, {pointer, -1.5}, {pointer, "fast"}});
  expect_refused(sample(tests::full_ceiling()),
                 {{"/bus_bytes_per_second", {{"1", 1e9}}, "expected a number of devices as the key"}});
  expect_refused(
      sample(full_status()),
      {{"/engines/1/name", "jit",
        "f.json: $.engines[1].name: unknown engine \"jit\"; known: eager, graph, compiled, compiled-graph"}});
}

TEST(Objects, RefuseALaunchThatCannotBe) {
  expect_refused(sample(launch_of_ranks()),
                 {{"/status", "fine",
                   "f.json: $.status: unknown status \"fine\"; known: ok, oom, timeout, crashed, unsupported, failed, "
                   "skipped, interrupted"},
                  {"/evaluations/0/part", "all",
                   "f.json: $.evaluations[0].part: unknown part \"all\"; known: train, validation, test"},
                  {"/samples_seconds/2", nullptr, "f.json: $.samples_seconds[2]: expected a number, found null"},
                  {"/losses/0", "nan", "$.losses[0]: expected a number"},
                  {"/steps_per_sample", -1, "$.steps_per_sample"},
                  {"/sensors/0/value", nullptr, "$.sensors[0].value"},
                  {"/communication/average_seconds", -1, "$.communication.average_seconds"},
                  {"/communication/bytes", kRemoved, "$.communication"},
                  {"/ranks/1/place", "b", "$.ranks[1]"},
                  {"/ranks/0/samples_seconds/1", -1, "$.ranks[0].samples_seconds[1]"},
                  {"/ranks/1/status", "well", "unknown status"},
                  {"/ranks/0/rank", -1, "$.ranks[0].rank"},
                  {"/ranks/0/first_step_seconds", -1, "$.ranks[0].first_step_seconds"}});
}

TEST(Objects, RefuseMetricsThatCannotBe) {
  expect_refused(sample(tests::full_result().metrics),
                 {{"/test_accuracy", 1.5, "f.json: $.test_accuracy: expected a number from 0 to 1, found 1.5"},
                  {"/epoch_seconds/kind", "guessed", "f.json: $.epoch_seconds.kind: expected measured or projected"},
                  {"/rows_per_second/kind", "guessed",
                   "f.json: $.rows_per_second.kind: expected median-step or mean-step or epochs or loop"},
                  {"/step_seconds/ci95", {2, 1}, "f.json: $.step_seconds.ci95: expected [low, high]"}});
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
