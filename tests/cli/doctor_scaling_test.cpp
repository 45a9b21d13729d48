#include "cli/doctor_facts.hpp"

#include <algorithm>

namespace mpsbench::cli {
namespace {

using schema::GpuPath;
using F = DoctorFacts;

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

std::vector<std::optional<std::int64_t>>& numa_nodes(DoctorFacts& facts) {
  return facts.scaling.interconnect.value().numa_nodes;
}

void show_gpus(DoctorFacts& facts, const char* visible) {
  facts.host.environment["CUDA_VISIBLE_DEVICES"] = visible;
}

bool says_nothing_of(const DoctorFacts& facts, const std::string& subject) {
  const std::vector<Finding> all = examine(facts);
  return std::none_of(all.begin(), all.end(), [&](const Finding& one) { return one.subject == subject; });
}

TEST(DoctorScaling, IsOnlyOfSeveralGpus) {
  for (const char* subject : {"GPU connection", "GPU peer access", "shared memory", "NCCL", "network"})
    EXPECT_TRUE(says_nothing_of(good_facts(), subject)) << subject;
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

TEST(DoctorScaling, OfTwoGpus) {
  const Rule rules[] = {
      {"GPU connection", Level::good, "GPUs 0 and 1: NVLink, 18 links"},
      {"GPU connection", Level::warning, "GPUs 0 and 1: PCIe through the connection between NUMA",
       [](F& f) { first_pair(f) = {0, 1, GpuPath::system, 0, true}; }},
      {"GPU connection", Level::note, "an unknown path", [](F& f) { first_pair(f).path = GpuPath::unknown; }},
      {"GPU peer access", Level::good, ""},
      {"GPU peer access", Level::note, "not reported", [](F& f) { first_pair(f).peer_access.reset(); }},
      {"GPU peer access", Level::warning, "GPUs 0 and 1 do not reach", [](F& f) { first_pair(f).peer_access = false; }},
      {"GPU NUMA nodes", Level::good, "node 0: GPU 0, 1"},
      {"GPU NUMA nodes", Level::good, "node 0: GPU 0; node 1: GPU 1", [](F& f) { numa_nodes(f) = {0, 1}; }},
      {"GPU NUMA nodes", Level::warning, "only use CPUs of node 0",
       [](F& f) {
         numa_nodes(f) = {0, 1};
         f.scaling.cpu_nodes = {0};
       }},
      {"GPU NUMA nodes", Level::good, "", [](F& f) { f.scaling.cpu_nodes.clear(); }},
      {"GPU NUMA nodes", Level::note, "not reported", [](F& f) { numa_nodes(f) = {std::nullopt, std::nullopt}; }},
      {"hidden GPUs", Level::warning, "CUDA_VISIBLE_DEVICES=1 hides 1 of 2 GPUs", [](F& f) { show_gpus(f, "1"); }},
      {"hidden GPUs", Level::warning, "hides 1 of 2", [](F& f) { show_gpus(f, "0,-1,1"); }},
      {"hidden GPUs", Level::warning, "hides 2 of 2", [](F& f) { show_gpus(f, "-1"); }},
      {"hidden GPUs", Level::warning, "hides 2 of 2", [](F& f) { show_gpus(f, ""); }},
      {"shared memory", Level::good, "1.0 GiB"},
      {"shared memory", Level::warning, "64.0 MiB", [](F& f) { f.scaling.shared_memory_bytes = 64 << 20; }},
      {"shared memory", Level::note, "not reported", [](F& f) { f.scaling.shared_memory_bytes.reset(); }},
      {"NCCL", Level::good, ""}};
  expect_rules(two_gpus(), rules);
  DoctorFacts facts = two_gpus();
  show_gpus(facts, "1,0");
  EXPECT_TRUE(says_nothing_of(facts, "hidden GPUs"));
  numa_nodes(facts) = {0, 1};
  facts.scaling.cpu_nodes = {0};
  EXPECT_TRUE(contains(finding(facts, "GPU NUMA nodes").cure, "node 1"));
}

TEST(DoctorScaling, VariablesThatHoldNcclBack) {
  expect_finding(two_gpus(), "NCCL", Level::good);
  for (const char* name : {"NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE", "NCCL_IB_DISABLE", "NCCL_ALGO", "NCCL_PROTO"}) {
    DoctorFacts facts = two_gpus();
    facts.host.environment[name] = "1";
    expect_finding(facts, name, Level::warning, std::string(name) + "=1: ");
    EXPECT_TRUE(says_nothing_of(facts, "NCCL"));
  }
  DoctorFacts facts = two_gpus();
  facts.host.environment = {{"NCCL_P2P_DISABLE", "0"}, {"NCCL_P2P_LEVEL", "NVL"}};
  expect_finding(facts, "NCCL", Level::good);
}

TEST(DoctorScaling, InterfacesOfNccl) {
  DoctorFacts facts = two_gpus();
  for (const char* names : {"eth", "ib,eth0", "=eth0", "=ib0,lo", "^docker"}) {
    facts.host.environment["NCCL_SOCKET_IFNAME"] = names;
    expect_finding(facts, "NCCL", Level::good);
  }
  for (const char* names : {"ib", "=eth", "bond0,ib0", ""}) {
    facts.host.environment["NCCL_SOCKET_IFNAME"] = names;
    expect_finding(facts, "NCCL_SOCKET_IFNAME", Level::warning, "names no network interface");
  }
}

TEST(DoctorScaling, OfALauncherAndTheNetworkToRankZero) {
  const Rule rules[] = {
      {"launcher", Level::good, "srun: rank 0 of 2, on h1",
       [](F& f) { f.scaling.launcher = "srun: rank 0 of 2, on h1"; }},
      {"launcher", Level::problem, "MASTER_ADDR: not known",
       [](F& f) { f.scaling.launcher_error = "MASTER_ADDR: not known; set it"; }},
      {"network", Level::warning, "no way to MASTER_ADDR=10.0.0.1", [](F& f) { f.scaling.master = "10.0.0.1"; }}};
  expect_rules(good_facts(), rules);
  const std::tuple<schema::Network, Level, const char*> networks[] = {
      {{"eth0", 25e9, {}}, Level::good, "eth0, 25 Gb/s"},
      {{"eth0", 1e9, {}}, Level::warning, "eth0, 1 Gb/s: 100 MB of gradients take 800 ms or more"},
      {{"eth0", 1e9, {{"mlx5_0", 1, 4e11}}}, Level::good, "InfiniBand mlx5_0, 400 Gb/s"},
      {{"lo", std::nullopt, {}}, Level::note, "lo, whose speed is unknown"}};
  DoctorFacts facts = good_facts();
  facts.scaling.master = "10.0.0.1";
  for (const auto& [network, level, part] : networks) {
    facts.scaling.network = network;
    expect_finding(facts, "network", level, part);
    expect_finding(facts, "NCCL", Level::good);
  }
}

}  // namespace
}  // namespace mpsbench::cli
