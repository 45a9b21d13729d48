#include "report/host/host_capture.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace mpsbench::report {
namespace {

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
  tree.add("proc/meminfo",
           "MemTotal:       16384 kB\nMemFree: 1 kB\nSwapTotal:  2048 kB\nSwapFree:  1024 kB\n");
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
