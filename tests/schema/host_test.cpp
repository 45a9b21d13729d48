#include "schema/host.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::expect_exact_keys;
using tests::expect_round_trip;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;

TEST(ToolInfo, GoesThroughJson) {
  ToolInfo tool{"mpsbench", "0.1.0", "0123abc", "Release", "GNU 12.2.0", true};
  EXPECT_EQ(expect_round_trip(tool, read_tool_info).git_commit, "0123abc");
  EXPECT_EQ(expect_round_trip(tool, read_tool_info).has_uncommitted_changes, true);
  expect_exact_keys(reparsed(to_json(tool)), read_tool_info, {"/has_uncommitted_changes"});
  tool.git_commit.reset();
  tool.has_uncommitted_changes.reset();
  EXPECT_FALSE(expect_round_trip(tool, read_tool_info).git_commit);
  EXPECT_FALSE(expect_round_trip(tool, read_tool_info).has_uncommitted_changes);
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
  EXPECT_EQ(expect_round_trip(info, read_libtorch_info).version, "1.13.0.dev20220522+cu102");
  expect_exact_keys(reparsed(to_json(info)), read_libtorch_info);
  info.cuda.reset();
  info.cudnn.reset();
  info.blas.reset();
  info.size_bytes.reset();
  const LibtorchInfo back = expect_round_trip(info, read_libtorch_info);
  EXPECT_FALSE(back.cuda || back.cudnn || back.blas || back.size_bytes);
}

TEST(HostInfo, GoesThroughJson) {
  const HostInfo host = expect_round_trip(tests::full_host(), read_host_info);
  EXPECT_EQ(host.cpu.efficiency_cores, 2);
  EXPECT_EQ(host.load_average, 0.5);
  EXPECT_EQ(host.environment.at("OMP_NUM_THREADS"), "2");
  expect_exact_keys(
      reparsed(to_json(tests::full_host())), read_host_info,
      {"/libtorch", "/ceilings", "/disk_total_bytes", "/gpu_cores", "/interconnect", "/network",
       "/ceilings/0/bus_bytes_per_second"},
      {"/environment", "/ceilings/0/matmul_flops_per_second", "/ceilings/0/bus_bytes_per_second"});
}

TEST(HostInfo, WritesNullForWhatTheMachineDoesNotTell) {
  const json document = reparsed(to_json(HostInfo{}));
  for (const char* pointer :
       {"/cpu/physical_cores", "/cpu/performance_cores", "/cpu/efficiency_cores", "/cpu/governor",
        "/swap_used_bytes", "/disk_free_bytes", "/disk_total_bytes", "/gpu_cores", "/load_average",
        "/libtorch", "/interconnect", "/network", "/power/source", "/power/mode"}) {
    EXPECT_TRUE(document.at(json::json_pointer(pointer)).is_null()) << pointer;
  }
  EXPECT_EQ(document.at("environment"), json::object());
  EXPECT_EQ(document.at("accelerators"), json::array());
  EXPECT_EQ(document.at("ceilings"), json::array());
  const HostInfo back = expect_round_trip(HostInfo{}, read_host_info);
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
    EXPECT_TRUE(contains(refusal(with(good, pointer, value), read_host_info), ": expected ")) << pointer;
  }
}

}  // namespace
}  // namespace mpsbench::schema
