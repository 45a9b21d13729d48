#include "report/metrics/ceilings.hpp"

#include "support/errors.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

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
  const schema::Ceiling ceiling = read({entry("matmul/cpu/fp32/256", "flops_per_second", 1e11),
                                        entry("matmul/cpu/fp32/1024", "flops_per_second", 3e11),
                                        entry("matmul/cpu/fp32/2048", "flops_per_second", 2e11),
                                        entry("matmul/cpu/bf16/256", "flops_per_second", 4e11),
                                        entry("add/cpu/fp32/64MiB", "bytes_per_second", 1e10),
                                        entry("add/cpu/fp32/64MiB", "bytes_per_second", 2e10)});
  EXPECT_EQ(ceiling.device, schema::DeviceId("cpu"));
  EXPECT_EQ(ceiling.matmul_flops_per_second,
            (std::map<std::string, std::optional<double>>{{"fp32", 3e11}, {"bf16", 4e11}}));
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
  EXPECT_TRUE(
      tests::contains(refusal({{"benchmarks", json::array({entry("matmul/cpu/fp32/1", "real_time", 1)})}}),
                      "$.benchmarks[0]: the key 'flops_per_second' is missing"));
  EXPECT_TRUE(tests::contains(
      refusal({{"benchmarks", json::array({entry("add/cpu/fp32/1", "bytes_per_second", 0)})}}),
      "$.benchmarks[0].bytes_per_second: expected a rate above zero"));
}

TEST(FlopsCeiling, IsThatOfDevicePrecisionAndOnTheCpuThreads) {
  const std::vector<schema::Ceiling> ceilings{
      {"cpu", 1, "", {{"fp32", 1e11}}, {}},
      {"cpu", 2, "", {{"fp32", 2e11}, {"fp16", std::nullopt}}, {}},
      {"cuda", std::nullopt, "", {{"fp32", 5e13}, {"bf16", 7e14}}, {}}};
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

TEST(FlopsCeiling, IsNotKnownForProcessesThatShareTheCpu) {
  schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, 8);
  spec.ranks = 2;
  EXPECT_FALSE(flops_ceiling({{"cpu", 2, "", {{"fp32", 2e11}}, {}}}, spec));
}

TEST(FlopsCeiling, IsNotKnownForSomeOfTheCpus) {
  schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, 8);
  spec.affinity = "0-1";
  EXPECT_FALSE(flops_ceiling({{"cpu", 2, "", {{"fp32", 2e11}}, {}}}, spec));
}

}  // namespace
}  // namespace mpsbench::report
