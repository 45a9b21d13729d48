#include "schema/host.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace mpsbench::schema {

namespace {

TEST(Interconnect, NamesEachPathOnce) {
  EXPECT_EQ(path_text({0, 1, GpuPath::nvlink, 18}), "NVLink, 18 links");
  EXPECT_EQ(path_text({0, 1, GpuPath::nvlink, 1}), "NVLink, 1 link");
  EXPECT_EQ(path_text({0, 1, GpuPath::pcie_switch}), "one PCIe switch");
  EXPECT_EQ(paths_text({{}, {{0, 1, GpuPath::nvlink, 4}, {0, 2, GpuPath::system}, {1, 2, GpuPath::system}}}),
            "NVLink, 4 links; PCIe through the connection between NUMA nodes");
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

}  // namespace

}  // namespace mpsbench::schema
