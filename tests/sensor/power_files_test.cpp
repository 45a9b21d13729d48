#include "sensor/power_files.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::sensor {
namespace {

using tests::RecordedTree;

TEST(PowerSource, LaptopOnBatteryAndOnMains) {
  const RecordedTree tree;
  EXPECT_FALSE(read_power(tree.root()).source);
  tree.add("sys/class/power_supply/BAT0/type", "Battery\n");
  tree.add("sys/class/power_supply/BAT0/status", "Discharging\n");
  tree.add("sys/class/power_supply/AC/type", "Mains\n");
  tree.add("sys/class/power_supply/AC/online", "0\n");
  EXPECT_EQ(read_power(tree.root()).source, "battery");
  tree.add("sys/class/power_supply/AC/online", "1\n");
  EXPECT_EQ(read_power(tree.root()).source, "ac");
}

TEST(PowerSource, AMouseIsNotABattery) {
  const RecordedTree tree;
  tree.add("sys/class/power_supply/hid/type", "Battery\n");
  tree.add("sys/class/power_supply/hid/scope", "Device\n");
  tree.add("sys/class/power_supply/hid/status", "Discharging\n");
  EXPECT_EQ(read_power(tree.root()).source, "ac");
}

TEST(PowerMode, IsThePlatformsProfile) {
  const RecordedTree tree;
  EXPECT_FALSE(read_power(tree.root()).mode);
  tree.add("sys/firmware/acpi/platform_profile", "low-power\n");
  EXPECT_EQ(read_power(tree.root()).mode, "low-power");
  tree.add("sys/firmware/acpi/platform_profile", "balanced\n");
  EXPECT_EQ(read_power(tree.root()).mode, "normal");
}

TEST(PowerFiles, FollowTheMachineFromMainsToBattery) {
  const RecordedTree tree;
  tree.add("sys/class/power_supply/BAT0/type", "Battery\n");
  tree.add("sys/class/power_supply/BAT0/status", "Charging\n");
  tree.add("sys/firmware/acpi/platform_profile", "balanced\n");
  PowerFiles files(tree.root());
  EXPECT_TRUE(files.missing().empty());
  Readings readings;
  files.read(readings);
  EXPECT_EQ(readings, (Readings{{"on_battery", 0}, {"low_power_mode", 0}}));
  tree.add("sys/class/power_supply/BAT0/status", "Discharging\n");
  tree.add("sys/firmware/acpi/platform_profile", "low-power\n");
  files.read(readings);
  EXPECT_EQ(readings, (Readings{{"on_battery", 1}, {"low_power_mode", 1}}));
}

TEST(PowerFiles, SayWhatIsMissing) {
  const RecordedTree tree;
  PowerFiles files(tree.root());
  EXPECT_EQ(files.missing().size(), 2U);
  Readings readings;
  files.read(readings);
  EXPECT_EQ(readings, Readings{});
}

}  // namespace
}  // namespace mpsbench::sensor
