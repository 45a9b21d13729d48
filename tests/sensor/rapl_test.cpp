#include "sensor/rapl.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::sensor {
namespace {

using tests::RecordedTree;

void add_domain(const RecordedTree& tree, const std::string& zone, const std::string& name) {
  const std::string folder = "sys/class/powercap/" + zone + "/";
  tree.add(folder + "name", name + "\n");
  tree.add(folder + "max_energy_range_uj", "262143328850\n");
}

void set_energy(const RecordedTree& tree, const std::string& zone, const std::string& microjoules) {
  tree.add("sys/class/powercap/" + zone + "/energy_uj", microjoules + "\n");
}

double joules(Rapl& rapl, const std::string& quantity) {
  Readings readings;
  rapl.read(readings);
  return readings.at(quantity);
}

TEST(Rapl, AddsUpPackagesAndTheirMemory) {
  const RecordedTree tree;
  for (const auto& [zone, name] : {std::pair("intel-rapl:0", "package-0"), std::pair("intel-rapl:1", "package-1"),
                                   std::pair("intel-rapl:0:0", "core"), std::pair("intel-rapl:0:1", "dram"),
                                   std::pair("intel-rapl:2", "psys"), std::pair("intel-rapl-mmio:0", "package-0")}) {
    add_domain(tree, zone, name);
    set_energy(tree, zone, "1000000");
  }
  Rapl rapl(tree.root());
  EXPECT_TRUE(rapl.missing().empty());
  const double before = joules(rapl, "cpu_energy");
  set_energy(tree, "intel-rapl:0", "3500000");
  set_energy(tree, "intel-rapl:1", "2000000");
  set_energy(tree, "intel-rapl:0:0", "9000000");
  set_energy(tree, "intel-rapl:0:1", "1250000");
  set_energy(tree, "intel-rapl:2", "9000000");
  set_energy(tree, "intel-rapl-mmio:0", "9000000");
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy") - before, 3.5);
  EXPECT_DOUBLE_EQ(joules(rapl, "dram_energy"), 0.25);
}

TEST(Rapl, ACounterThatWrapsGoesOnRising) {
  const RecordedTree tree;
  add_domain(tree, "intel-rapl:0", "package-0");
  set_energy(tree, "intel-rapl:0", "262143000000");
  Rapl rapl(tree.root());
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy"), 0);
  set_energy(tree, "intel-rapl:0", "1671150");
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy"), 2);
  set_energy(tree, "intel-rapl:0", "2671150");
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy"), 3);
  set_energy(tree, "intel-rapl:0", "671150");
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy"), 3 + 262143.32885 - 2);
}

TEST(Rapl, HalfASumIsNone) {
  const RecordedTree tree;
  for (const char* zone : {"intel-rapl:0", "intel-rapl:1"}) {
    add_domain(tree, zone, "package-" + std::string(zone).substr(11));
    set_energy(tree, zone, "5");
  }
  Rapl rapl(tree.root());
  std::filesystem::remove(tree.root() / "sys/class/powercap/intel-rapl:1/energy_uj");
  Readings readings;
  rapl.read(readings);
  EXPECT_TRUE(readings.empty());
}

TEST(Rapl, CountersThatAreClosedHaveACure) {
  const RecordedTree tree;
  add_domain(tree, "intel-rapl:0", "package-0");
  set_energy(tree, "intel-rapl:0", "5");
  add_domain(tree, "intel-rapl:1", "package-1");  // without the file energy_uj
  Rapl rapl(tree.root());
  Readings readings;
  rapl.read(readings);
  EXPECT_TRUE(readings.empty());
  ASSERT_EQ(rapl.missing().size(), 1U);
  EXPECT_EQ(rapl.missing()[0].name, "cpu_energy");
  EXPECT_NE(rapl.missing()[0].cure.find("chmod"), std::string::npos);
}

TEST(Rapl, AMachineWithoutIsNoFault) {
  const RecordedTree tree;
  const Rapl rapl(tree.root());
  ASSERT_EQ(rapl.missing().size(), 1U);
  EXPECT_FALSE(rapl.missing()[0].reason.empty());
  EXPECT_EQ(rapl.missing()[0].cure, "");
}

}  // namespace
}  // namespace mpsbench::sensor
