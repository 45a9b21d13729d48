#include "schema/host.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace mpsbench::schema {

namespace {

using tests::contains;
using tests::expect_exact_keys;
using tests::expect_round_trip;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;

TEST(Interconnect, GoesThroughJson) {
  const Interconnect full = tests::full_host().interconnect.value();
  EXPECT_EQ(expect_round_trip(full, from_json<Interconnect>), full);
  const json document = reparsed(to_json(full));
  expect_exact_keys(document, from_json<Interconnect>);
  EXPECT_TRUE(
      contains(refusal(with(document, "/pairs/0/path", "string"), from_json<Interconnect>), "path between GPUs"));
}

TEST(Interconnect, NamesEachPathOnce) {
  EXPECT_EQ(path_text({0, 1, GpuPath::nvlink, 18}), "NVLink, 18 links");
  EXPECT_EQ(path_text({0, 1, GpuPath::nvlink, 1}), "NVLink, 1 link");
  EXPECT_EQ(path_text({0, 1, GpuPath::pcie_switch}), "one PCIe switch");
  EXPECT_EQ(paths_text({{}, {{0, 1, GpuPath::nvlink, 4}, {0, 2, GpuPath::system}, {1, 2, GpuPath::system}}}),
            "NVLink, 4 links; PCIe through the connection between NUMA nodes");
}

TEST(Network, GoesThroughJson) {
  const Network full = tests::full_host().network.value();
  EXPECT_EQ(expect_round_trip(full, from_json<Network>), full);
  expect_exact_keys(reparsed(to_json(full)), from_json<Network>);
  const Network bare{"lo", std::nullopt, {}};
  EXPECT_EQ(expect_round_trip(bare, from_json<Network>), bare);
}

TEST(Network, TellsTheRatesThatAreKnown) {
  EXPECT_EQ(network_text({"lo", std::nullopt, {}}), "lo");
  EXPECT_EQ(network_text({"eth0", 2.5e9, {{"mlx5_0", 1, 4e11}}}), "eth0, 2.5 Gb/s; InfiniBand mlx5_0, 400 Gb/s");
}

TEST(ToolInfo, SaysWhatThisBuildIs) {
  const ToolInfo tool = tool_info();
  EXPECT_EQ(tool.name, "mpsbench");
  EXPECT_TRUE(std::regex_match(tool.version, std::regex(R"(\d+\.\d+\.\d+)"))) << tool.version;
  EXPECT_FALSE(tool.build_type.empty());
  EXPECT_TRUE(std::regex_match(tool.compiler, std::regex(R"(\w+ \d+\.\d+.*)"))) << tool.compiler;
  EXPECT_EQ(tool.has_uncommitted_changes.has_value(), tool.git_commit.has_value());
  if (tool.git_commit) {
    EXPECT_TRUE(std::regex_match(*tool.git_commit, std::regex("[0-9a-f]{12,}")));
  }
}

TEST(ToolInfo, IsOneLineForVersion) {
  const ToolInfo tool = tool_info();
  EXPECT_EQ(version_text().rfind("mpsbench " + tool.version + " (" + tool.build_type + ", " + tool.compiler, 0), 0U);
  EXPECT_EQ(version_text().back(), ')');
}

TEST(ToolInfo, GoesThroughJson) {
  ToolInfo tool{"mpsbench", "0.1.0", "0123abc", "Release", "GNU 12.2.0", true};
  EXPECT_EQ(expect_round_trip(tool, from_json<ToolInfo>).git_commit, "0123abc");
  EXPECT_EQ(expect_round_trip(tool, from_json<ToolInfo>).has_uncommitted_changes, true);
  expect_exact_keys(reparsed(to_json(tool)), from_json<ToolInfo>);
  tool.git_commit.reset();
  tool.has_uncommitted_changes.reset();
  EXPECT_FALSE(expect_round_trip(tool, from_json<ToolInfo>).git_commit);
  EXPECT_FALSE(expect_round_trip(tool, from_json<ToolInfo>).has_uncommitted_changes);
}

TEST(CommitText, SaysThatChangesWereNotCommitted) {
  ToolInfo tool;
  EXPECT_EQ(commit_text(tool), "");
  tool.git_commit = "0123abc";
  EXPECT_EQ(commit_text(tool), "0123abc");
  tool.has_uncommitted_changes = false;
  EXPECT_EQ(commit_text(tool), "0123abc");
  tool.has_uncommitted_changes = true;
  EXPECT_EQ(commit_text(tool), "0123abc with uncommitted changes");
}

TEST(LibtorchInfo, GoesThroughJson) {
  LibtorchInfo info = tests::full_libtorch();
  EXPECT_EQ(expect_round_trip(info, from_json<LibtorchInfo>).version, "1.13.0.dev20220522+cu102");
  expect_exact_keys(reparsed(to_json(info)), from_json<LibtorchInfo>);
  info.cuda.reset();
  info.cudnn.reset();
  info.blas.reset();
  info.size_bytes.reset();
  const LibtorchInfo back = expect_round_trip(info, from_json<LibtorchInfo>);
  EXPECT_FALSE(back.cuda || back.cudnn || back.blas || back.size_bytes);
}

TEST(HostInfo, GoesThroughJson) {
  const HostInfo host = expect_round_trip(tests::full_host(), from_json<HostInfo>);
  EXPECT_EQ(host.cpu.efficiency_cores, 2);
  EXPECT_EQ(host.load_average, 0.5);
  EXPECT_EQ(host.environment.at("OMP_NUM_THREADS"), "2");
  expect_exact_keys(reparsed(to_json(tests::full_host())), from_json<HostInfo>, {},
                    {"/environment", "/ceilings/0/matmul_flops_per_second", "/ceilings/0/bus_bytes_per_second"});
}

TEST(HostInfo, WritesNullForWhatTheMachineDoesNotTell) {
  const json document = reparsed(to_json(HostInfo{}));
  for (const char* pointer :
       {"/cpu/physical_cores", "/cpu/performance_cores", "/cpu/efficiency_cores", "/cpu/governor", "/swap_used_bytes",
        "/disk_free_bytes", "/disk_total_bytes", "/gpu_cores", "/load_average", "/libtorch", "/interconnect",
        "/network", "/power/source", "/power/mode"}) {
    EXPECT_TRUE(document.at(json::json_pointer(pointer)).is_null()) << pointer;
  }
  EXPECT_EQ(document.at("environment"), json::object());
  EXPECT_EQ(document.at("accelerators"), json::array());
  EXPECT_EQ(document.at("ceilings"), json::array());
  const HostInfo back = expect_round_trip(HostInfo{}, from_json<HostInfo>);
  EXPECT_FALSE(back.libtorch || back.cpu.physical_cores || back.load_average || back.power.source);
}

TEST(HostInfo, RefusesValuesOfAnotherType) {
  const json good = reparsed(to_json(tests::full_host()));
  const std::vector<std::pair<const char*, json>> bad{{"/memory_bytes", nullptr},
                                                      {"/memory_bytes", -1},
                                                      {"/cpu/logical_cores", 2.5},
                                                      {"/cpu/features", {1}},
                                                      {"/os/name", nullptr},
                                                      {"/environment/OMP_NUM_THREADS", 4},
                                                      {"/accelerators", json::object()},
                                                      {"/ceilings", json::object()},
                                                      {"/load_average", "busy"},
                                                      {"/libtorch/openmp_runtimes", nullptr},
                                                      {"/libtorch/version", nullptr}};
  for (const auto& [pointer, value] : bad) {
    EXPECT_TRUE(contains(refusal(with(good, pointer, value), from_json<HostInfo>), ": expected ")) << pointer;
  }
}

}  // namespace

}  // namespace mpsbench::schema
