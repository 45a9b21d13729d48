#include "schema/interconnect.hpp"

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

TEST(Interconnect, GoesThroughJson) {
  const Interconnect full = tests::full_host().interconnect.value();
  EXPECT_EQ(expect_round_trip(full, read_interconnect), full);
  const json document = reparsed(to_json(full));
  expect_exact_keys(document, read_interconnect);
  EXPECT_TRUE(
      contains(refusal(with(document, "/pairs/0/path", "string"), read_interconnect), "path between GPUs"));
}

TEST(Interconnect, NamesEachPathOnce) {
  EXPECT_EQ(path_text({0, 1, GpuPath::nvlink, 18}), "NVLink, 18 links");
  EXPECT_EQ(path_text({0, 1, GpuPath::nvlink, 1}), "NVLink, 1 link");
  EXPECT_EQ(path_text({0, 1, GpuPath::pcie_switch}), "one PCIe switch");
  EXPECT_EQ(paths_text({{}, {{0, 1, GpuPath::nvlink, 4}, {0, 2, GpuPath::system}, {1, 2, GpuPath::system}}}),
            "NVLink, 4 links; PCIe through the connection between NUMA nodes");
}

TEST(Network, GoesThroughJson) {
  const Network full = tests::full_host().network.value();
  EXPECT_EQ(expect_round_trip(full, read_network), full);
  expect_exact_keys(reparsed(to_json(full)), read_network);
  const Network bare{"lo", std::nullopt, {}};
  EXPECT_EQ(expect_round_trip(bare, read_network), bare);
}

TEST(Network, TellsTheRatesThatAreKnown) {
  EXPECT_EQ(network_text({"lo", std::nullopt, {}}), "lo");
  EXPECT_EQ(network_text({"eth0", 2.5e9, {{"mlx5_0", 1, 4e11}}}),
            "eth0, 2.5 Gb/s; InfiniBand mlx5_0, 400 Gb/s");
}

}  // namespace
}  // namespace mpsbench::schema
