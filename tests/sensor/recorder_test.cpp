#include "sensor/recorder.hpp"

#include "support/sensor_trace.hpp"

#include <gtest/gtest.h>

namespace mpsbench::sensor {
namespace {

using schema::SensorRecord;

const SensorRecord* find(const std::vector<SensorRecord>& records, const std::string& name) {
  const auto found = std::find_if(records.begin(), records.end(), [&](const auto& one) { return one.name == name; });
  return found == records.end() ? nullptr : &*found;
}

TEST(Recorder, MakesOfEachTraceWhatItSays) {
  const auto traces = tests::all_sensor_traces();
  EXPECT_GE(traces.size(), 12U);
  for (const tests::SensorTrace& trace : traces) {
    SCOPED_TRACE(trace.name);
    EXPECT_EQ(trace.launch.sensors.size(), trace.records.size());
    for (const SensorRecord& expected : trace.records) {
      SCOPED_TRACE(expected.name);
      const SensorRecord* record = find(trace.launch.sensors, expected.name);
      ASSERT_NE(record, nullptr);
      EXPECT_DOUBLE_EQ(record->value, expected.value);
      EXPECT_EQ(record->min, expected.min);
      EXPECT_EQ(record->max, expected.max);
      EXPECT_EQ(record->unit, expected.unit);
    }
    EXPECT_EQ(trace.launch.sensor_notes, trace.notes);
  }
}

class Absent final : public Source {
 public:
  void read(Readings& /*into*/) override {}
  [[nodiscard]] std::vector<MissingSensor> missing() const override {
    return {{"cpu_energy", "closed", "open it"}, {"cpu_clock", "none"}};
  }
};

TEST(Recorder, NotesWhatASourceLacksAndTheCure) {
  Sources sources;
  sources.push_back(std::make_unique<Absent>());
  Recorder recorder(std::move(sources));
  recorder.on_phase(schema::Phase::measure);
  recorder.on_result();
  schema::Launch launch;
  recorder.record(launch);
  EXPECT_TRUE(launch.sensors.empty());
  EXPECT_EQ(launch.sensor_notes,
            (std::map<std::string, std::string>{{"cpu_energy", "closed; open it"}, {"cpu_clock", "none"}}));
}

// A source with a counter that rises by 1 with every reading.
class Rising final : public Source {
 public:
  void read(Readings& into) override { into["cpu_energy"] = next_++; }

 private:
  double next_ = 5;
};

TEST(Recorder, CountsWhatRoseInTheMeasuredStretchesAlone) {
  Sources sources;
  sources.push_back(std::make_unique<Rising>());
  Recorder recorder(std::move(sources));
  using schema::Phase;
  for (const Phase phase : {Phase::epoch, Phase::evaluate, Phase::epoch, Phase::evaluate, Phase::loop}) {
    recorder.on_phase(phase);
    recorder.on_tick();
  }
  recorder.on_result();
  schema::Launch launch;
  recorder.record(launch);
  const SensorRecord* energy = find(launch.sensors, "cpu_energy");
  ASSERT_NE(energy, nullptr) << launch.sensor_notes["cpu_energy"];
  EXPECT_EQ(energy->value, 6);  // three measured parts of three readings each
}

TEST(Recorder, SaysNothingOfALaunchThatDidNotMeasure) {
  Sources sources;
  sources.push_back(std::make_unique<Absent>());
  Recorder recorder(std::move(sources));
  recorder.on_phase(schema::Phase::warmup);
  recorder.on_tick();
  recorder.on_result();
  schema::Launch launch;
  recorder.record(launch);
  EXPECT_TRUE(launch.sensors.empty());
  EXPECT_TRUE(launch.sensor_notes.empty());
}

}  // namespace
}  // namespace mpsbench::sensor
