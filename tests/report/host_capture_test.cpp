#include "report/host/host_capture.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace mpsbench::report {

namespace {

namespace fs = std::filesystem;

class HostName : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("mpsbench-host-name-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST(Slug, KeepsTheModelAndDropsTheRest) {
  EXPECT_EQ(slug("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz"), "xeon-platinum-8370c");
  EXPECT_EQ(slug("Apple M1 Max"), "m1-max");
  EXPECT_EQ(slug("AMD Ryzen 7 5800X 8-Core Processor"), "ryzen-7-5800x-8");
  EXPECT_EQ(slug("Cortex-A76 + Cortex-A55"), "cortex-a76-cortex-a55");
  EXPECT_EQ(slug("../../etc/\x1b[31m passwd"), "etc-31m-passwd");
  EXPECT_EQ(slug("(R) CPU"), "machine");
  EXPECT_LE(slug(std::string(500, 'a') + " b").size(), 40U);
}

TEST_F(HostName, StaysTheSame) {
  const std::string first = host_name("Apple M1 Max", folder_);
  EXPECT_EQ(first.substr(0, 7), "m1-max-");
  EXPECT_EQ(first.size(), 11U);
  EXPECT_EQ(host_name("Apple M1 Max", folder_), first);
  EXPECT_TRUE(fs::is_regular_file(folder_ / "host-id"));
}

TEST_F(HostName, BrokenStateIsReplaced) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "host-id") << "../../x\n";
  const std::string name = host_name("AMD EPYC", folder_);
  EXPECT_EQ(name.find('/'), std::string::npos);
  EXPECT_EQ(host_name("AMD EPYC", folder_), name);
}

TEST_F(HostName, UnwritablePlaceStillGivesAName) {
  std::ofstream(folder_) << "a file where the folder should be";
  EXPECT_EQ(host_name("AMD EPYC", folder_).size(), 9U);
}

using Nodes = std::vector<std::int64_t>;

TEST(NumaNodes, AreThoseOfTheCpus) {
  const tests::RecordedTree tree;
  EXPECT_EQ(numa_nodes(tree.root(), {0, 1}), Nodes{}) << "the system does not tell";
  tree.add("sys/devices/system/node/possible", "0-2\n");
  tree.add("sys/devices/system/node/node0/cpulist", "0-3,8\n");
  tree.add("sys/devices/system/node/node1/cpulist", "4-7\n");
  tree.add("sys/devices/system/node/node2/cpulist", "\n");  // it has only memory
  EXPECT_EQ(numa_nodes(tree.root(), {2, 8}), Nodes{0});
  EXPECT_EQ(numa_nodes(tree.root(), {3, 4}), (Nodes{0, 1}));
  EXPECT_EQ(numa_nodes(tree.root(), {9}), Nodes{});
}

TEST(HostCapture, ThisMachineTellsTheEssentials) {
  const auto host = capture_host("my-machine", ".");
  EXPECT_EQ(host.name, "my-machine");
  EXPECT_FALSE(host.cpu.model.empty());
  EXPECT_GE(host.cpu.logical_cores, 1);
  EXPECT_GT(host.memory_bytes, 1 << 20);
  EXPECT_FALSE(host.os.name.empty());
  EXPECT_FALSE(host.os.arch.empty());
  EXPECT_GT(host.disk_free_bytes.value_or(0), 0);
  EXPECT_GE(host.disk_total_bytes, host.disk_free_bytes);
  EXPECT_GE(usable_cores(), 1);
  EXPECT_LE(usable_cores(), host.cpu.logical_cores);
}

TEST(HostCapture, FolderThatDoesNotExistYetCountsAsTheOneAbove) {
  EXPECT_TRUE(capture_host("x", "no/such/folder/yet").disk_free_bytes);
  EXPECT_TRUE(capture_host("x", "").disk_free_bytes) << "the folder of a file without one";
}

TEST(HostCapture, UserNameStaysOut) {
  ASSERT_EQ(setenv("OMP_PLACES", "/home/alice/places", 1), 0);
  const std::string text = schema::to_json(capture_host("x", ".")).dump();
  unsetenv("OMP_PLACES");
  EXPECT_NE(text.find("~/places"), std::string::npos);
  EXPECT_EQ(text.find("alice"), std::string::npos);
}

#ifdef __linux__
TEST(HostCapture, RecordedMachine) {
  const tests::RecordedTree tree;
  tree.add("proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\nSwapTotal:  2048 kB\nSwapFree:  1024 kB\n");
  tree.add("proc/loadavg", "1.25 0.80 0.50 2/345 6789\n");
  tree.add("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  tree.add("etc/os-release", "PRETTY_NAME=\"x\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\n");
  const auto host = read_machine(tree.root());
  EXPECT_EQ(host.memory_bytes, 16'384 * 1'024);
  EXPECT_EQ(host.swap_used_bytes, 1'024 * 1'024);
  EXPECT_DOUBLE_EQ(host.load_average.value(), 1.25);
  EXPECT_EQ(host.os.name, "Ubuntu");
  EXPECT_EQ(host.os.version, "24.04");
  EXPECT_EQ(host.os.kernel, "6.1.0-18-amd64");
}

TEST(HostCapture, MachineThatTellsNothing) {
  const tests::RecordedTree tree;
  const auto host = read_machine(tree.root());
  EXPECT_FALSE(host.load_average);
  EXPECT_FALSE(host.swap_used_bytes);
  EXPECT_EQ(host.os.name, "Linux");
}
#endif

}  // namespace

}  // namespace mpsbench::report
