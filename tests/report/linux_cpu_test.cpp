#include "report/host/linux_cpu.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mpsbench::report {

namespace {

TEST(LinuxFiles, KeyValues) {
  const auto values = key_values("NAME=\"Debian GNU/Linux\"\nVERSION_ID='12'\nnothing\nNAME=again\nEMPTY=", '=');
  EXPECT_EQ(values.size(), 3U);
  EXPECT_EQ(values.at("NAME"), "Debian GNU/Linux");
  EXPECT_EQ(values.at("VERSION_ID"), "12");
  EXPECT_EQ(values.at("EMPTY"), "");
}

using tests::RecordedTree;

schema::HostInfo read(const RecordedTree& tree) {
  schema::HostInfo host;
  read_linux_cpu(tree.root(), host);
  return host;
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

TEST(LinuxCpu, TwoThreadsACore) {
  const RecordedTree tree;
  tree.add("proc/cpuinfo", x86_block(0, 0) + x86_block(1, 1) + x86_block(2, 0) + x86_block(3, 1));
  tree.add("sys/devices/system/cpu/online", "0-3\n");
  for (int cpu = 0; cpu < 4; ++cpu) tree.add_cpu(cpu, 0, cpu % 2, 1024);
  tree.add("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  const auto host = read(tree);
  EXPECT_EQ(host.cpu.model, "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz");
  EXPECT_EQ(host.cpu.logical_cores, 4);
  EXPECT_EQ(host.cpu.physical_cores, 2);
  EXPECT_FALSE(host.cpu.performance_cores);  // all cores are equal
  EXPECT_EQ(host.cpu.governor, "powersave");
  EXPECT_EQ(host.cpu.features,
            (std::vector<std::string>{"sse4.2", "avx", "fma", "avx2", "avx512f", "avx512_bf16", "amx"}));
}

TEST(LinuxCpu, ContainerWithoutSysfs) {
  const RecordedTree tree;
  tree.add("proc/cpuinfo", x86_block(0, 0) + x86_block(1, 1) + x86_block(2, 0) + x86_block(3, 1));
  const auto host = read(tree);
  EXPECT_EQ(host.cpu.logical_cores, 4);
  EXPECT_EQ(host.cpu.physical_cores, 2);
  EXPECT_FALSE(host.cpu.governor);
}

TEST(LinuxCpu, ArmServer) {
  const RecordedTree tree;
  tree.add("proc/cpuinfo", arm_block(0, "0xd0c") + arm_block(1, "0xd0c"));
  tree.add("sys/devices/system/cpu/online", "0-1\n");
  for (int cpu = 0; cpu < 2; ++cpu) tree.add_cpu(cpu, 0, cpu, 1024);
  const auto host = read(tree);
  EXPECT_EQ(host.cpu.model, "Neoverse-N1");
  EXPECT_EQ(host.cpu.physical_cores, 2);
  EXPECT_EQ(host.cpu.features, (std::vector<std::string>{"neon", "fp16", "dotprod", "bf16", "i8mm", "sve"}));
}

TEST(LinuxCpu, BigAndLittleCores) {
  const RecordedTree tree;
  std::string cpuinfo;
  for (int cpu = 0; cpu < 8; ++cpu) {
    cpuinfo += arm_block(cpu, cpu < 4 ? "0xd05" : "0xd0b");
    tree.add_cpu(cpu, 0, cpu, cpu < 4 ? 381 : cpu < 7 ? 900 : 1024);
  }
  tree.add("proc/cpuinfo", cpuinfo);
  tree.add("sys/devices/system/cpu/online", "0-7\n");
  const auto host = read(tree);
  EXPECT_EQ(host.cpu.model, "Cortex-A55 + Cortex-A76");
  EXPECT_EQ(host.cpu.performance_cores, 4);
  EXPECT_EQ(host.cpu.efficiency_cores, 4);
}

TEST(LinuxCpu, IntelHybrid) {
  const RecordedTree tree;
  std::string cpuinfo;
  for (int cpu = 0; cpu < 6; ++cpu) {
    cpuinfo += x86_block(cpu, cpu < 4 ? cpu / 2 : cpu);
    tree.add_cpu(cpu, 0, cpu < 4 ? cpu / 2 : cpu);
  }
  tree.add("proc/cpuinfo", cpuinfo);
  tree.add("sys/devices/system/cpu/online", "0-5\n");
  tree.add("sys/devices/cpu_core/cpus", "0-3\n");
  tree.add("sys/devices/cpu_atom/cpus", "4-5\n");
  const auto host = read(tree);
  EXPECT_EQ(host.cpu.physical_cores, 4);
  EXPECT_EQ(host.cpu.performance_cores, 2);
  EXPECT_EQ(host.cpu.efficiency_cores, 2);
}

TEST(LinuxCpu, UnknownCoreAndNothingAtAll) {
  const RecordedTree tree;
  EXPECT_EQ(read(tree).cpu.model, "unknown");
  EXPECT_EQ(read(tree).cpu.logical_cores, 0);
  tree.add("proc/device-tree/model", std::string("Raspberry Pi 5 Model B\0", 23));
  EXPECT_EQ(read(tree).cpu.model, "Raspberry Pi 5 Model B");
  tree.add("proc/cpuinfo", arm_block(0, "0xfff"));
  EXPECT_EQ(read(tree).cpu.model, "Arm 0x41/0xfff");
}

TEST(UsableCores, AffinityThenQuota) {
  const RecordedTree tree;
  for (int cpu = 0; cpu < 8; ++cpu) tree.add_cpu(cpu, 0, cpu / 2);
  EXPECT_EQ(usable_cores(tree.root(), {0, 1, 2, 3, 4, 5, 6, 7}), 4);
  EXPECT_EQ(usable_cores(tree.root(), {0, 2, 3}), 2);
  tree.add("proc/self/cgroup", "0::/\n");
  tree.add("sys/fs/cgroup/cpu.max", "250000 100000\n");
  EXPECT_EQ(usable_cores(tree.root(), {0, 1, 2, 3, 4, 5, 6, 7}), 2);
  tree.add("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(usable_cores(tree.root(), {0, 1, 2, 3, 4, 5, 6, 7}), 1);
}

TEST(UsableCores, WithoutTopologyEachLogicalCpuCounts) {
  const RecordedTree tree;
  EXPECT_EQ(usable_cores(tree.root(), {0, 1, 2}), 3);
  EXPECT_EQ(usable_cores(tree.root(), {}), 1);
}

}  // namespace

}  // namespace mpsbench::report
