#include "cli/doctor_facts.hpp"

#include <algorithm>

namespace mpsbench::cli {
namespace {

using schema::GpuPath;

// Two GPUs that NVLink connects, and nothing that slows them down.
DoctorFacts two_gpus() {
  DoctorFacts facts = good_facts();
  facts.gpus.push_back(facts.gpus.front());
  facts.scaling.interconnect = {.numa_nodes = {0, 0}, .pairs = {{0, 1, GpuPath::nvlink, 18, true}}};
  facts.scaling.cpu_nodes = {0, 1};
  facts.scaling.shared_memory_bytes = std::int64_t{1} << 30;
  facts.scaling.interfaces = {"eth0", "lo"};
  return facts;
}

schema::GpuPair& first_pair(DoctorFacts& facts) {
  return facts.scaling.interconnect.value().pairs.front();
}

bool says_nothing_of(const DoctorFacts& facts, const std::string& subject) {
  const std::vector<Finding> all = examine(facts);
  return std::none_of(all.begin(), all.end(), [&](const Finding& one) { return one.subject == subject; });
}

TEST(DoctorScaling, IsOnlyOfSeveralGpus) {
  for (const char* subject : {"GPU connection", "GPU peer access", "shared memory", "NCCL", "network"})
    EXPECT_TRUE(says_nothing_of(good_facts(), subject)) << subject;
}

TEST(DoctorScaling, Connection) {
  DoctorFacts facts = two_gpus();
  expect_quiet(facts, "GPU connection", "GPUs 0 and 1: NVLink, 18 links");
  first_pair(facts) = {0, 1, GpuPath::system, 0, true};
  expect_fires(facts, "GPU connection", Level::warning, "GPUs 0 and 1: PCIe through the connection between NUMA");
  first_pair(facts).path = GpuPath::unknown;
  expect_note(facts, "GPU connection", "an unknown path");
}

TEST(DoctorScaling, EachKindOfConnectionIsSaidOnce) {
  DoctorFacts facts = two_gpus();
  facts.scaling.interconnect = {
      .numa_nodes = {0, 0, 0},
      .pairs = {{0, 1, GpuPath::nvlink, 4, true}, {0, 2, GpuPath::node, 0, true}, {1, 2, GpuPath::node, 0, true}}};
  std::vector<std::string> said;
  for (const Finding& one : examine(facts)) {
    if (one.subject == "GPU connection") said.push_back(one.message);
  }
  EXPECT_EQ(said, (std::vector<std::string>{"GPUs 0 and 1: NVLink, 4 links",
                                            "GPUs 0 and 2, 1 and 2: PCIe through host bridges of one NUMA node"}));
}

TEST(DoctorScaling, PeerAccess) {
  DoctorFacts facts = two_gpus();
  expect_quiet(facts, "GPU peer access");
  first_pair(facts).peer_access.reset();
  expect_note(facts, "GPU peer access", "not reported");
  first_pair(facts).peer_access = false;
  expect_fires(facts, "GPU peer access", Level::warning, "GPUs 0 and 1 do not reach");
}

TEST(DoctorScaling, NumaNodes) {
  DoctorFacts facts = two_gpus();
  expect_quiet(facts, "GPU NUMA nodes", "node 0: GPU 0, 1");
  facts.scaling.interconnect.value().numa_nodes = {0, 1};
  expect_quiet(facts, "GPU NUMA nodes", "node 0: GPU 0; node 1: GPU 1");
  facts.scaling.cpu_nodes = {0};
  expect_fires(facts, "GPU NUMA nodes", Level::warning, "only use CPUs of node 0");
  EXPECT_TRUE(contains(finding(facts, "GPU NUMA nodes").cure, "node 1"));
  facts.scaling.cpu_nodes.clear();
  expect_quiet(facts, "GPU NUMA nodes");
  facts.scaling.interconnect.value().numa_nodes = {std::nullopt, std::nullopt};
  expect_note(facts, "GPU NUMA nodes", "not reported");
}

TEST(DoctorScaling, HiddenGpus) {
  DoctorFacts facts = two_gpus();
  facts.host.environment["CUDA_VISIBLE_DEVICES"] = "1,0";
  EXPECT_TRUE(says_nothing_of(facts, "hidden GPUs"));
  facts.host.environment["CUDA_VISIBLE_DEVICES"] = "1";
  expect_fires(facts, "hidden GPUs", Level::warning, "CUDA_VISIBLE_DEVICES=1 hides 1 of 2 GPUs");
  facts.host.environment["CUDA_VISIBLE_DEVICES"] = "0,-1,1";
  expect_fires(facts, "hidden GPUs", Level::warning, "hides 1 of 2");
  facts.host.environment["CUDA_VISIBLE_DEVICES"] = "-1";
  expect_fires(facts, "hidden GPUs", Level::warning, "hides 2 of 2");
  facts.host.environment["CUDA_VISIBLE_DEVICES"] = "";
  expect_fires(facts, "hidden GPUs", Level::warning, "hides 2 of 2");
}

TEST(DoctorScaling, SharedMemory) {
  DoctorFacts facts = two_gpus();
  expect_quiet(facts, "shared memory", "1.0 GiB");
  facts.scaling.shared_memory_bytes = std::int64_t{64} << 20;
  expect_fires(facts, "shared memory", Level::warning, "64.0 MiB");
  facts.scaling.shared_memory_bytes.reset();
  expect_note(facts, "shared memory", "not reported");
}

TEST(DoctorScaling, VariablesThatHoldNcclBack) {
  expect_quiet(two_gpus(), "NCCL");
  for (const char* name : {"NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE", "NCCL_IB_DISABLE", "NCCL_ALGO", "NCCL_PROTO"}) {
    DoctorFacts facts = two_gpus();
    facts.host.environment[name] = "1";
    expect_fires(facts, name, Level::warning, std::string(name) + "=1: ");
    EXPECT_TRUE(says_nothing_of(facts, "NCCL"));
  }
  DoctorFacts facts = two_gpus();
  facts.host.environment = {{"NCCL_P2P_DISABLE", "0"}, {"NCCL_P2P_LEVEL", "NVL"}};
  expect_quiet(facts, "NCCL");
}

TEST(DoctorScaling, InterfacesOfNccl) {
  DoctorFacts facts = two_gpus();
  for (const char* names : {"eth", "ib,eth0", "=eth0", "=ib0,lo", "^docker"}) {
    facts.host.environment["NCCL_SOCKET_IFNAME"] = names;
    expect_quiet(facts, "NCCL");
  }
  for (const char* names : {"ib", "=eth", "bond0,ib0", ""}) {
    facts.host.environment["NCCL_SOCKET_IFNAME"] = names;
    expect_fires(facts, "NCCL_SOCKET_IFNAME", Level::warning, "names no network interface");
  }
}

TEST(DoctorScaling, Launcher) {
  DoctorFacts facts = good_facts();
  facts.scaling.launcher = "srun: rank 0 of 2, on h1";
  expect_quiet(facts, "launcher", "srun: rank 0 of 2, on h1");
  facts.scaling.launcher.clear();
  facts.scaling.launcher_error = "MASTER_ADDR: not known; set it";
  expect_fires(facts, "launcher", Level::problem, "MASTER_ADDR: not known");
}

TEST(DoctorScaling, NetworkToRankZero) {
  DoctorFacts facts = good_facts();
  facts.scaling.master = "10.0.0.1";
  expect_fires(facts, "network", Level::warning, "no way to MASTER_ADDR=10.0.0.1");
  facts.scaling.network = {"eth0", 25e9, {}};
  expect_quiet(facts, "network", "eth0, 25 Gb/s");
  expect_quiet(facts, "NCCL");
  facts.scaling.network.value().bits_per_second = 1e9;
  expect_fires(facts, "network", Level::warning, "eth0, 1 Gb/s: 100 MB of gradients take 800 ms or more");
  facts.scaling.network.value().infiniband = {{"mlx5_0", 1, 4e11}};
  expect_quiet(facts, "network", "InfiniBand mlx5_0, 400 Gb/s");
  facts.scaling.network = {"lo", std::nullopt, {}};
  expect_note(facts, "network", "lo, whose speed is unknown");
}

}  // namespace
}  // namespace mpsbench::cli
