#include "schema/sensor.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace mpsbench::schema {
namespace {

TEST(Sensor, QuantitiesHaveOneNameEach) {
  std::set<std::string> names;
  for (const SensorQuantity& one : sensor_quantities()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.unit.empty() || one.meaning.empty()) << one.name;
  }
}

TEST(Sensor, RecordsTakeTheirUnitFromTheTable) {
  const SensorRecord record = sensor_record(sensor::kCpuEnergy, 2.5);
  EXPECT_EQ(record.unit, "J");
  EXPECT_THROW((void)sensor_record("cpu_colour", 1), std::logic_error);
  EXPECT_EQ(sensor_value({record}, sensor::kCpuEnergy), 2.5);
  EXPECT_FALSE(sensor_value({record}, sensor::kDramEnergy));
}

TEST(Sensor, TheReportPageShowsTheTable) {
  const std::string text = tests::content(MPSBENCH_SOURCE_DIR "/docs/report.md");
  const std::string marker = "<!-- sensors -->\n";
  const std::size_t at = text.find(marker);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.substr(at + marker.size(), sensor_table().size()), sensor_table());
}

}  // namespace
}  // namespace mpsbench::schema
