#include "sensor/network.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mpsbench::sensor {
namespace {

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
  tree.add("sys/class/net/" + loopback() + "/speed", "-1\n");
  EXPECT_FALSE(read_network(tree.root(), "127.0.0.1").value().bits_per_second);
}

}  // namespace
}  // namespace mpsbench::sensor
