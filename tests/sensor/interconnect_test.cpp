#include "sensor/interconnect.hpp"

#include "sensor/fake_nvml.hpp"
#include "support/recorded_tree.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mpsbench::sensor {

namespace {

using schema::GpuPath;

std::optional<schema::Interconnect> found(const char* nvml, bool of_two = true) {
  tests::nvml_says(nvml);
  std::optional<tests::ScopedVariable> second;
  if (of_two) second.emplace("FAKE_NVML_2", nvml);
  const tests::RecordedTree tree;
  tree.add("sys/bus/pci/devices/0000:3b:00.0/numa_node", "1\n");
  tree.add("sys/bus/pci/devices/0000:af:00.0/numa_node", "-1\n");
  return read_interconnect({tree.root(), MPSBENCH_FAKE_NVML});
}

schema::GpuPair pair(const std::string& nvml) {
  return found(nvml.c_str()).value().pairs.at(0);
}

TEST(Interconnect, IsOnlyOfSeveralGpus) {
  EXPECT_FALSE(read_interconnect({"/", "libno-such-nvml.so.1"}));
  EXPECT_FALSE(found("links=18 link_end=2", false));
}

TEST(Interconnect, LinksToSwitchesConnectAllGpus) {
  const auto two = found("links=18 link_end=2 ancestor=50 p2p=0").value();
  EXPECT_EQ(two.pairs, (std::vector<schema::GpuPair>{{0, 1, GpuPath::nvlink, 18, true}}));
  EXPECT_EQ(two.numa_nodes, (std::vector<std::optional<std::int64_t>>{1, std::nullopt}));
}

TEST(Interconnect, LinksLeadDirectlyToTheOtherGpu) {
  EXPECT_EQ(pair("links=4 link_end=0"), (schema::GpuPair{0, 1, GpuPath::nvlink, 4, std::nullopt}));
  EXPECT_EQ(pair("links=4").nvlinks, 4) << "an older driver does not tell the kind of the end";
  EXPECT_EQ(pair("links=6 link_end=1 ancestor=40").path, GpuPath::node) << "links to a CPU";
}

TEST(Interconnect, WithoutLinksIsALevelOfPcie) {
  const std::pair<const char*, GpuPath> levels[] = {
      {"ancestor=0", GpuPath::board},          {"ancestor=10", GpuPath::pcie_switch},
      {"ancestor=20", GpuPath::pcie_switches}, {"ancestor=30", GpuPath::host_bridge},
      {"ancestor=40", GpuPath::node},          {"links=0 ancestor=50", GpuPath::system},
      {"ancestor=60", GpuPath::unknown},       {"", GpuPath::unknown}};
  for (const auto& [nvml, path] : levels) EXPECT_EQ(pair(nvml).path, path) << nvml;
}

TEST(Interconnect, PeerAccessIsWhatTheDriverSays) {
  EXPECT_EQ(pair("p2p=0").peer_access, true);
  EXPECT_EQ(pair("p2p=1").peer_access, false);
  EXPECT_EQ(pair("p2p=6").peer_access, std::nullopt);
  EXPECT_EQ(pair("").peer_access, std::nullopt);
}

std::string loopback() {
  return read_network("/", "127.0.0.1").value().interface;
}

TEST(Network, IsTheOneThatReachesAnAddress) {
  EXPECT_TRUE(loopback().starts_with("lo")) << loopback();
  EXPECT_FALSE(read_network("/", "no.such.host.invalid"));
  const auto names = network_interfaces();
  EXPECT_NE(std::find(names.begin(), names.end(), loopback()), names.end());
}

TEST(Network, HasTheSpeedsThatTheSystemTells) {
  const tests::RecordedTree tree;
  EXPECT_EQ(read_network(tree.root(), "127.0.0.1"), (schema::Network{loopback(), std::nullopt, {}}));
  tree.add("sys/class/net/" + loopback() + "/speed", "25000\n");
  tree.add("sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
  tree.add("sys/class/infiniband/mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)\n");
  tree.add("sys/class/infiniband/mlx5_0/ports/2/state", "1: DOWN\n");
  tree.add("sys/class/infiniband/mlx5_1/ports/1/state", "4: ACTIVE\n");
  EXPECT_EQ(read_network(tree.root(), "127.0.0.1"),
            (schema::Network{loopback(), 25e9, {{"mlx5_0", 1, 4e11}, {"mlx5_1", 1, std::nullopt}}}));
  for (const char* unknown : {"-1\n", "0\n"}) {
    tree.add("sys/class/net/" + loopback() + "/speed", unknown);
    EXPECT_FALSE(read_network(tree.root(), "127.0.0.1").value().bits_per_second) << unknown;
  }
}

}  // namespace

}  // namespace mpsbench::sensor
