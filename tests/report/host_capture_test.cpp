#include "report/host/host_capture.hpp"

#include "report/host/machine_cache.hpp"
#include "support/recorded_tree.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

namespace fs = std::filesystem;
using tests::RecordedTree;

TEST(Slug, KeepsTheModelAndDropsTheRest) {
  EXPECT_EQ(slug("Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz"), "xeon-platinum-8370c");
  EXPECT_EQ(slug("Apple M1 Max"), "m1-max");
  EXPECT_EQ(slug("AMD Ryzen 7 5800X 8-Core Processor"), "ryzen-7-5800x-8");
  EXPECT_EQ(slug("Cortex-A76 + Cortex-A55"), "cortex-a76-cortex-a55");
  EXPECT_EQ(slug("../../etc/\x1b[31m passwd"), "etc-31m-passwd");
  EXPECT_EQ(slug("(R) CPU"), "machine");
  EXPECT_LE(slug(std::string(500, 'a') + " b").size(), 40U);
}

TEST(HostName, StaysTheSameWhereItCanBeKept) {
  const tests::Scratch scratch;
  const std::string first = host_name("Apple M1 Max", scratch / "state");
  EXPECT_EQ(first.substr(0, 7), "m1-max-");
  EXPECT_EQ(first.size(), 11U);
  EXPECT_EQ(host_name("Apple M1 Max", scratch / "state"), first);
  EXPECT_TRUE(fs::is_regular_file(scratch / "state/host-id"));
  scratch.write("broken/host-id", "../../x\n");
  const std::string name = host_name("AMD EPYC", scratch / "broken");
  EXPECT_EQ(name.find('/'), std::string::npos);
  EXPECT_EQ(host_name("AMD EPYC", scratch / "broken"), name);
  scratch.write("file", "a file where the folder should be");
  EXPECT_EQ(host_name("AMD EPYC", scratch / "file").size(), 9U);
}

using Nodes = std::vector<std::int64_t>;

TEST(NumaNodes, AreThoseOfTheCpus) {
  const RecordedTree tree;
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
  EXPECT_TRUE(capture_host("x", "no/such/folder/yet").disk_free_bytes) << "of the folder above";
  EXPECT_TRUE(capture_host("x", "").disk_free_bytes) << "the folder of a file without one";
}

TEST(HostCapture, UserNameStaysOut) {
  const tests::ScopedVariable places("OMP_PLACES", "/home/alice/places");
  const std::string text = schema::to_json(capture_host("x", ".")).dump();
  EXPECT_NE(text.find("~/places"), std::string::npos);
  EXPECT_EQ(text.find("alice"), std::string::npos);
}

TEST(Folders, FollowTheVariableAndElseTheHomeFolder) {
#ifdef __APPLE__
  constexpr const char* kCache = "/home/alice/Library/Caches/mpsbench";
#else
  constexpr const char* kCache = "/home/alice/.cache/mpsbench";
#endif
  const tests::ScopedVariable home("HOME", "/home/alice");
  {
    const tests::ScopedVariable cache("XDG_CACHE_HOME", "/var/tmp/cache");
    const tests::ScopedVariable state("XDG_STATE_HOME", "/var/tmp/state");
    EXPECT_EQ(cache_folder(), fs::path("/var/tmp/cache/mpsbench"));
    EXPECT_EQ(state_folder(), fs::path("/var/tmp/state/mpsbench"));
  }
  for (const char* unusable : {static_cast<const char*>(nullptr), "", "relative/place"}) {
    const tests::ScopedVariable cache("XDG_CACHE_HOME", unusable);
    const tests::ScopedVariable state("XDG_STATE_HOME", unusable);
    EXPECT_EQ(cache_folder(), fs::path(kCache));
    EXPECT_EQ(state_folder(), fs::path("/home/alice/.local/state/mpsbench"));
  }
}

#ifdef __linux__
TEST(LinuxHost, TellsMemoryAndSystem) {
  const RecordedTree tree;
  tree.add("proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\nSwapTotal:  2048 kB\nSwapFree:  1024 kB\n");
  tree.add("proc/loadavg", "1.25 0.80 0.50 2/345 6789\n");
  tree.add("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  tree.add("etc/os-release", "PRETTY_NAME=\"x\"\nNAME=\"Debian GNU/Linux\"\nnothing\nVERSION_ID='12'\nNAME=again");
  const auto host = read_machine(tree.root());
  EXPECT_EQ(host.memory_bytes, 16'384 * 1'024);
  EXPECT_EQ(host.swap_used_bytes, 1'024 * 1'024);
  EXPECT_DOUBLE_EQ(host.load_average.value(), 1.25);
  EXPECT_EQ(host.os.name, "Debian GNU/Linux");
  EXPECT_EQ(host.os.version, "12");
  EXPECT_EQ(host.os.kernel, "6.1.0-18-amd64");
}

std::string x86_block(int cpu, int core) {
  return "processor\t: " + std::to_string(cpu) +
         "\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz\nphysical "
         "id\t: 0\n"
         "core id\t\t: " +
         std::to_string(core) + "\nflags\t\t: fpu sse4_2 avx avx2 fma avx512f amx_tile avx512_bf16 rdtscp\n\n";
}

std::string arm_block(int cpu, const std::string& part) {
  return "processor\t: " + std::to_string(cpu) +
         "\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd evtstrm aes asimdhp asimddp sve i8mm bf16\n"
         "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: " +
         part + "\n\n";
}

// A logical CPU of a recorded machine.
struct Cpu {
  std::string block;
  std::optional<int> core;  // in sysfs
  int capacity = 0;
};

using Features = std::vector<std::string>;

struct Cores {
  std::optional<std::int64_t> physical{}, performance{}, efficiency{};
};

struct CpuRow {
  const char* what;
  std::vector<Cpu> cpus;
  const char* model;
  Cores cores = {};
  std::map<std::string, std::string> files = {};  // others
  Features features = {"sse4.2", "avx", "fma", "avx2", "avx512f", "avx512_bf16", "amx"};
};

TEST(LinuxHost, TellsTheCpu) {
  constexpr const char* kXeon = "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz";
  const Features arm{"neon", "fp16", "dotprod", "bf16", "i8mm", "sve"};
  const std::string a55 = "0xd05";
  const std::string a76 = "0xd0b";
  const CpuRow rows[] = {
      {"two threads a core",
       {{x86_block(0, 0), 0, 1024}, {x86_block(1, 1), 1, 1024}, {x86_block(2, 0), 0, 1024}, {x86_block(3, 1), 1, 1024}},
       kXeon,
       {2}},
      {"a container without sysfs",
       {{x86_block(0, 0), {}}, {x86_block(1, 1), {}}, {x86_block(2, 0), {}}, {x86_block(3, 1), {}}},
       kXeon,
       {2}},
      {"an Arm server",
       {{arm_block(0, "0xd0c"), 0, 1024}, {arm_block(1, "0xd0c"), 1, 1024}},
       "Neoverse-N1",
       {2},
       {},
       arm},
      {"big and little cores",
       {{arm_block(0, a55), 0, 381},
        {arm_block(1, a55), 1, 381},
        {arm_block(2, a76), 2, 900},
        {arm_block(3, a76), 3, 900},
        {arm_block(4, a76), 4, 1024}},
       "Cortex-A55 + Cortex-A76",
       {5, 3, 2},
       {},
       arm},
      {"Intel's two kinds",
       {{x86_block(0, 0), 0},
        {x86_block(1, 0), 0},
        {x86_block(2, 1), 1},
        {x86_block(3, 1), 1},
        {x86_block(4, 4), 4},
        {x86_block(5, 5), 5}},
       kXeon,
       {4, 2, 2},
       {{"sys/devices/cpu_core/cpus", "0-3\n"}, {"sys/devices/cpu_atom/cpus", "4-5\n"}}},
      {"nothing at all", {}, "unknown", {}, {}, {}},
      {"a board's name",
       {},
       "Raspberry Pi 5 Model B",
       {},
       {{"proc/device-tree/model", std::string("Raspberry Pi 5 Model B\0", 23)}},
       {}},
      {"an unknown core", {{arm_block(0, "0xfff"), {}}}, "Arm 0x41/0xfff", {}, {}, arm}};
  for (const CpuRow& row : rows) {
    SCOPED_TRACE(row.what);
    const RecordedTree tree;
    for (const auto& [file, text] : row.files) tree.add(file, text);
    std::string cpuinfo;
    const bool has_sysfs = !row.cpus.empty() && row.cpus[0].core;
    for (std::size_t at = 0; at < row.cpus.size(); ++at) {
      cpuinfo += row.cpus[at].block;
      if (has_sysfs) tree.add_cpu(static_cast<int>(at), 0, *row.cpus[at].core, row.cpus[at].capacity);
    }
    tree.add("proc/cpuinfo", cpuinfo);
    if (has_sysfs) tree.add("sys/devices/system/cpu/online", "0-" + std::to_string(row.cpus.size() - 1) + "\n");
    const schema::HostInfo host = read_machine(tree.root());
    EXPECT_EQ(host.cpu.model, row.model);
    EXPECT_EQ(host.cpu.logical_cores, std::ssize(row.cpus));
    EXPECT_EQ(host.cpu.physical_cores, row.cores.physical);
    EXPECT_EQ(host.cpu.performance_cores, row.cores.performance);
    EXPECT_EQ(host.cpu.efficiency_cores, row.cores.efficiency);
    EXPECT_EQ(host.cpu.features, row.features);
    EXPECT_FALSE(host.cpu.governor);
    EXPECT_FALSE(host.load_average || host.swap_used_bytes);
    EXPECT_EQ(host.os.name, "Linux");
    tree.add("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    EXPECT_EQ(read_machine(tree.root()).cpu.governor, "powersave");
  }
}

TEST(UsableCores, AreThoseOfTheCpusUpToTheQuota) {
  const RecordedTree tree;
  EXPECT_EQ(usable_cores({0, 1, 2}, tree.root()), 3) << "without topology";
  EXPECT_EQ(usable_cores({}, tree.root()), 1);
  for (int cpu = 0; cpu < 8; ++cpu) tree.add_cpu(cpu, 0, cpu / 2);
  EXPECT_EQ(usable_cores({0, 1, 2, 3, 4, 5, 6, 7}, tree.root()), 4);
  EXPECT_EQ(usable_cores({0, 2, 3}, tree.root()), 2);
  tree.add("proc/self/cgroup", "0::/\n");
  tree.add("sys/fs/cgroup/cpu.max", "250000 100000\n");
  EXPECT_EQ(usable_cores({0, 1, 2, 3, 4, 5, 6, 7}, tree.root()), 2);
  tree.add("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(usable_cores({0, 1, 2, 3, 4, 5, 6, 7}, tree.root()), 1);
}
#endif

}  // namespace
}  // namespace mpsbench::report
