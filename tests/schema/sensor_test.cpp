#include "schema/sensor.hpp"

#include "base/json_file.hpp"
#include "schema/round_trip.hpp"

#include <set>
#include <stdexcept>

namespace mpsbench::schema {
namespace {

using tests::reparsed;

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

TEST(Sensor, ASingleValueKeepsItsThreeKeys) {
  const tests::json document = reparsed(to_json(sensor_record(sensor::kOtherCpuShare, 0.01)));
  EXPECT_EQ(document, (tests::json{{"name", "other_cpu_share"}, {"unit", "1"}, {"value", 0.01}}));
  EXPECT_FALSE(from_json<SensorRecord>(base::Reader(document, "f.json")).min);
}

TEST(Sensor, TheReportPageShowsTheTable) {
  const std::string text = base::read_text_file(MPSBENCH_SOURCE_DIR "/docs/report.md", 1 << 20);
  const std::string marker = "<!-- sensors -->\n";
  const std::size_t at = text.find(marker);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.substr(at + marker.size(), sensor_table().size()), sensor_table());
}

}  // namespace
}  // namespace mpsbench::schema
