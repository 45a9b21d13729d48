#include "report/metrics/ceilings.hpp"

#include "support/errors.hpp"
#include "support/sample_run.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace mpsbench::report {

namespace {

namespace fs = std::filesystem;

schema::Ceiling some_ceiling() {
  return {"cuda", std::nullopt, "2026-11-21T10:02:03Z", {{schema::Precision::bf16, 7e14}}, 4e12};
}

schema::HostInfo machine() {
  schema::HostInfo host;
  host.cpu.model = "AMD EPYC";
  host.cpu.logical_cores = 16;
  host.accelerators = {{"cuda", "NVIDIA H200", std::nullopt}, {"cuda:1", "NVIDIA L4", std::nullopt}};
  host.environment = {{"OMP_NUM_THREADS", "2"}};
  return host;
}

TEST(CeilingKey, DiffersWithAllThatACeilingDependsOn) {
  const nlohmann::json key = ceiling_key(machine(), "2.13.0", "cuda", 2);
  EXPECT_EQ(ceiling_key(machine(), "2.13.0", "cuda", 2), key);
  EXPECT_NE(ceiling_key(machine(), "2.13.0+cpu", "cuda", 2), key);
  EXPECT_NE(ceiling_key(machine(), "2.13.0", "cpu", 2), key);
  EXPECT_NE(ceiling_key(machine(), "2.13.0", "cuda", 1), key);
  EXPECT_NE(ceiling_key(machine(), "2.13.0", "cuda", std::nullopt), key);
  const std::vector<std::function<void(schema::HostInfo&)>> changes{
      [](schema::HostInfo& host) { host.cpu.model = "Apple M1"; },
      [](schema::HostInfo& host) { host.cpu.logical_cores = 8; },
      [](schema::HostInfo& host) { host.accelerators[0].name = "NVIDIA H100"; },
      [](schema::HostInfo& host) { host.environment["NVIDIA_TF32_OVERRIDE"] = "0"; }};
  for (const auto& change : changes) {
    schema::HostInfo other = machine();
    change(other);
    EXPECT_NE(ceiling_key(other, "2.13.0", "cuda", 2), key);
  }
  schema::HostInfo same = machine();
  same.name = "renamed";
  same.disk_free_bytes = 1;
  same.accelerators[1].name = "another one, not used";
  EXPECT_EQ(ceiling_key(same, "2.13.0", "cuda", 2), key);
}

TEST(CeilingCache, GivesBackWhatWasKeptUnderItsKeyOnly) {
  const tests::Scratch scratch;
  const CeilingCache cache(scratch / "a/b");
  const nlohmann::json key = ceiling_key(machine(), "2.13.0", "cuda", std::nullopt);
  EXPECT_FALSE(cache.find(key));
  cache.keep(key, some_ceiling());
  EXPECT_EQ(cache.find(key), some_ceiling());
  EXPECT_FALSE(cache.find(ceiling_key(machine(), "2.11.0", "cuda", std::nullopt)));
  schema::Ceiling better = some_ceiling();
  better.bytes_per_second = 5e12;
  cache.keep(key, better);
  EXPECT_EQ(cache.find(key), better);
}

TEST(CeilingCache, ABrokenFileCostsAWarning) {
  const tests::Scratch scratch;
  const CeilingCache cache(scratch.root());
  const nlohmann::json key = ceiling_key(machine(), "2.13.0", "cuda", std::nullopt);
  cache.keep(key, some_ceiling());
  const fs::path file = fs::directory_iterator(scratch.root())->path();
  const std::string whole = tests::content(file);
  nlohmann::json moved = nlohmann::json::parse(whole);
  moved["key"]["libtorch"] = "2.11.0";
  for (const std::string& text : {whole.substr(0, whole.size() / 2), std::string(), std::string("[]"), moved.dump()}) {
    scratch.write(file.filename().string(), text);
    testing::internal::CaptureStderr();
    EXPECT_FALSE(cache.find(key)) << text;
    EXPECT_NE(testing::internal::GetCapturedStderr().find(file.string()), std::string::npos) << text;
  }
  cache.keep(key, some_ceiling());
  EXPECT_EQ(cache.find(key), some_ceiling());
}

TEST(CeilingCache, WithoutAPlaceItOnlyWarns) {
  const tests::Scratch scratch;
  scratch.write("file", "");
  testing::internal::CaptureStderr();
  CeilingCache(scratch / "file/folder").keep({{"device", "cpu"}}, some_ceiling());
  EXPECT_NE(testing::internal::GetCapturedStderr().find("measured again"), std::string::npos);
}

using nlohmann::json;

json entry(const std::string& name, const char* counter, double rate, const json& more = json::object()) {
  json one{{"name", name + "/manual_time"}, {"run_type", "iteration"}, {"real_time", 1.5}, {counter, rate}};
  one.update(more);
  return one;
}

schema::Ceiling read(const json& benchmarks, const schema::DeviceId& device = "cpu") {
  const json document{{"context", {{"num_cpus", 2}}}, {"benchmarks", benchmarks}};
  return read_ops_ceiling(base::Reader(document, "ops"), device);
}

TEST(ReadOpsCeiling, TakesTheFastestOfEachPrecisionAndOfTheMemory) {
  const schema::Ceiling ceiling = read(
      {entry("matmul/cpu/fp32/256", "flops_per_second", 1e11), entry("matmul/cpu/fp32/1024", "flops_per_second", 3e11),
       entry("matmul/cpu/fp32/2048", "flops_per_second", 2e11), entry("matmul/cpu/bf16/256", "flops_per_second", 4e11),
       entry("add/cpu/fp32/64MiB", "bytes_per_second", 1e10), entry("add/cpu/fp32/64MiB", "bytes_per_second", 2e10)});
  EXPECT_EQ(ceiling.device, schema::DeviceId("cpu"));
  EXPECT_EQ(ceiling.matmul_flops_per_second, (std::map<schema::Precision, std::optional<double>>{
                                                 {schema::Precision::fp32, 3e11}, {schema::Precision::bf16, 4e11}}));
  EXPECT_EQ(ceiling.bytes_per_second, 2e10);
  EXPECT_TRUE(ceiling.bus_bytes_per_second.empty());
}

TEST(ReadOpsCeiling, TakesTheFastestAllReduceOfEachNumberOfDevices) {
  const schema::Ceiling ceiling = read({entry("all_reduce/cuda/x2/4KiB", "bus_bytes_per_second", 1e8),
                                        entry("all_reduce/cuda/x2/100MB", "bus_bytes_per_second", 3e11),
                                        entry("all_reduce/cuda/x4/100MB", "bus_bytes_per_second", 2e11),
                                        entry("all_reduce/cpu/x2/100MB", "bus_bytes_per_second", 9e11),
                                        entry("all_gather/cuda/x2/100MB", "bus_bytes_per_second", 9e11)},
                                       "cuda");
  schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, 8);
  spec.device = "cuda";
  spec.ranks = 2;
  EXPECT_EQ(bus_ceiling({ceiling}, spec), 3e11);
  EXPECT_TRUE(can_have_bus_ceiling(spec));
  spec.ranks = 4;
  EXPECT_EQ(bus_ceiling({ceiling}, spec), 2e11);
  spec.ranks = 8;
  EXPECT_FALSE(bus_ceiling({ceiling}, spec));
  spec.mode = schema::Mode::infer;
  EXPECT_FALSE(can_have_bus_ceiling(spec));
}

TEST(ReadOpsCeiling, PassesOverOtherOperationsDevicesAggregatesAndFailures) {
  const schema::Ceiling ceiling =
      read({entry("matmul/cuda/fp32/1024", "flops_per_second", 9e13),
            entry("matmul_backward/cpu/fp32/1024", "flops_per_second", 9e13),
            entry("conv2d/cpu/fp32/1x64x8x8/3x3", "flops_per_second", 9e13),
            entry("matmul/cpu/fp32/1024", "flops_per_second", 9e13, {{"run_type", "aggregate"}}),
            entry("matmul/cpu/bf16/1024", "real_time", 0, {{"error_occurred", true}}),
            {{"name", "launch/cpu/manual_time"}, {"run_type", "iteration"}},
            entry("matmul/cuda:1/fp32/1024", "flops_per_second", 9e13)});
  EXPECT_TRUE(ceiling.matmul_flops_per_second.empty());
  EXPECT_FALSE(ceiling.bytes_per_second);
}

TEST(ReadOpsCeiling, SaysWhatIsNoSuchDocument) {
  const auto refusal = [](const json& document) {
    return tests::usage_error_of([&] { (void)read_ops_ceiling(base::Reader(document, "ops"), "cpu"); });
  };
  EXPECT_TRUE(tests::contains(refusal(json::array()), "ops: $"));
  EXPECT_TRUE(tests::contains(refusal(json::object()), "benchmarks"));
  EXPECT_TRUE(tests::contains(refusal({{"benchmarks", json::array({entry("matmul/cpu/fp32/1", "real_time", 1)})}}),
                              "$.benchmarks[0]: the key 'flops_per_second' is missing"));
  EXPECT_TRUE(tests::contains(refusal({{"benchmarks", json::array({entry("add/cpu/fp32/1", "bytes_per_second", 0)})}}),
                              "$.benchmarks[0].bytes_per_second: expected a rate above zero"));
}

TEST(FlopsCeiling, IsThatOfDevicePrecisionAndOnTheCpuThreads) {
  const std::vector<schema::Ceiling> ceilings{
      {"cpu", 1, "", {{schema::Precision::fp32, 1e11}}, {}},
      {"cpu", 2, "", {{schema::Precision::fp32, 2e11}, {schema::Precision::fp16, std::nullopt}}, {}},
      {"cuda", std::nullopt, "", {{schema::Precision::fp32, 5e13}, {schema::Precision::bf16, 7e14}}, {}}};
  schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, 8);
  EXPECT_EQ(flops_ceiling(ceilings, spec), 2e11);
  spec.precision = schema::Precision::fp16;
  EXPECT_FALSE(flops_ceiling(ceilings, spec));
  spec.precision = schema::Precision::bf16;
  EXPECT_FALSE(flops_ceiling(ceilings, spec));
  spec.device = "cuda";
  EXPECT_EQ(flops_ceiling(ceilings, spec), 7e14);
  spec.affinity = "0";
  EXPECT_EQ(flops_ceiling(ceilings, spec), 7e14) << "it does not bind a GPU";
  spec.ranks = 2;
  EXPECT_EQ(flops_ceiling(ceilings, spec), 2 * 7e14) << "each rank has its own GPU";
  spec.device = "cuda:1";
  EXPECT_FALSE(flops_ceiling(ceilings, spec));
}

TEST(FlopsCeiling, IsNotKnownForProcessesThatShareTheCpuOrForSomeCpus) {
  const schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, 8);
  const std::vector<schema::Ceiling> ceilings{{"cpu", 2, "", {{schema::Precision::fp32, 2e11}}, {}}};
  EXPECT_TRUE(flops_ceiling(ceilings, spec));
  EXPECT_FALSE(flops_ceiling(ceilings, tests::with(spec, [](auto& one) { one.ranks = 2; })));
  EXPECT_FALSE(flops_ceiling(ceilings, tests::with(spec, [](auto& one) { one.affinity = "0-1"; })));
}

// A network of 8 inputs and 4 classes, so it has 36 weights.
double bytes_of(schema::Mode mode, std::int64_t batch_size, schema::Precision precision = schema::Precision::fp32) {
  schema::CaseSpec spec = tests::sample_spec("mlp", mode, batch_size);
  spec.precision = precision;
  const schema::RunRecord record = tests::sample_run({spec}, 1);
  return least_step_bytes(counted_plan(record.run, record.run.planned[0].definition_sha256, spec).value(), spec);
}

TEST(LeastStepBytes, AreWeightsAndInputsAndInTrainingMore) {
  EXPECT_EQ(bytes_of(schema::Mode::infer, 1), 4 * (36 + 8));
  EXPECT_EQ(bytes_of(schema::Mode::infer, 64), 4 * (36 + 64 * 8));
  EXPECT_GE(bytes_of(schema::Mode::train, 64), 4 * (2 * 36 + 64 * 8));
  EXPECT_LE(bytes_of(schema::Mode::train, 64, schema::Precision::bf16), bytes_of(schema::Mode::train, 64));
}

// One case with launches of at most 3 s. A step of training has 8,192 FLOP.
schema::RunRecord one_case(double ceiling = 1e12) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 1);
  const schema::CaseSpec& spec = record.run.planned[0].spec;
  record.host.ceilings = {{spec.device, spec.threads, "", {{schema::Precision::fp32, ceiling}}, {}}};
  return record;
}

ExpectedTime time_of(const schema::RunRecord& record) {
  return expected_time(record, record.run.planned[0]);
}

TEST(ExpectedTime, IsTheLimitUnlessTheFewestStepsTakeLonger) {
  EXPECT_FALSE(time_of(one_case()).is_estimate);
  EXPECT_DOUBLE_EQ(time_of(one_case()).seconds, 3);
  EXPECT_TRUE(time_of(one_case(2 * 8192.0 / 10)).is_estimate);
  EXPECT_NEAR(time_of(one_case(2 * 8192.0 / 10)).seconds, 3 * 10, 0.01);  // three steps at half the ceiling
  schema::RunRecord replayed = one_case(2 * 8192.0 / 10);
  replayed.run.planned[0].spec.engine = schema::Engine::graph;
  EXPECT_NEAR(time_of(replayed).seconds, 2 * 10, 0.01) << "no step is divided";
  EXPECT_GT(time_of(one_case(1e-3)).seconds, 600);  // more than the timeout, which the plan then says
}

TEST(ExpectedTime, OfCountedWorkIsThatOfItsSteps) {
  schema::RunRecord record = one_case(2 * 8192.0);
  record.run.planned[0].spec.iterations = 50;
  EXPECT_NEAR(time_of(record).seconds, 50, 0.1);
  record.run.planned[0].spec.iterations.reset();
  record.run.planned[0].spec.rows = 640;
  record.run.planned[0].spec.epochs = 3;
  EXPECT_NEAR(time_of(record).seconds, 30, 0.1);
  EXPECT_TRUE(time_of(record).is_estimate);
}

TEST(ExpectedTime, WithoutACeilingTheRateIsAssumed) {
  schema::RunRecord record = one_case();
  record.host.ceilings.clear();
  record.run.planned[0].spec.iterations = 100'000;
  EXPECT_TRUE(time_of(record).is_estimate);
  EXPECT_GT(time_of(record).seconds, 0.1);
  EXPECT_LT(time_of(record).seconds, 100);
}

TEST(ExpectedStep, GainsNothingByMoreThreadsThanCores) {
  schema::RunRecord record = one_case();
  record.host.ceilings.clear();
  schema::PlannedCase& planned = record.run.planned[0];
  const auto with_threads = [&](std::int64_t threads) {
    planned.spec.threads = threads;
    return expected_step_seconds(record, planned).value();
  };
  EXPECT_LT(with_threads(2), with_threads(1));
  EXPECT_EQ(with_threads(999), with_threads(2)) << "the machine has two cores";
  planned.spec.mode = schema::Mode::data;
  EXPECT_FALSE(expected_step_seconds(record, planned));
}

TEST(ExpectedTime, OfWorkWithoutFlopIsTheLimit) {
  schema::RunRecord record = one_case();
  record.run.planned[0].spec.mode = schema::Mode::data;
  record.run.planned[0].spec.epochs = 1;
  EXPECT_FALSE(time_of(record).is_estimate);
  EXPECT_DOUBLE_EQ(time_of(record).seconds, 600);
}

}  // namespace

}  // namespace mpsbench::report
