// Replays traces of sensors from tests/sensor/traces/*.txt. Each line is a moment of a launch.
//
//   before NAME=VALUE...   quantities that are read once, before the launch starts to work
//   PHASE NAME=VALUE...    the worker enters PHASE ("warmup", "measure", ...); from now on sensors read this
//   tick, result           a second has passed; the worker has finished its work
//   = NAME VALUE [MIN MAX] a record that the launch must have
//   ! NAME TEXT            what its notes must say about NAME
//   flags NAME...          the flags that the launch must have
//   #                      a comment
#pragma once

#include "sensor/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace mpsbench::tests {

struct SensorTrace {
  std::string name;
  schema::Launch launch;  // only its sensors and their notes
  std::vector<schema::SensorRecord> records;
  std::map<std::string, std::string> notes;
  std::vector<std::string> flags;
};

// Reports the values of the trace's current line.
class ReplayedSource final : public sensor::Source {
 public:
  explicit ReplayedSource(const sensor::Readings& now) : now_(now) {}
  void read(sensor::Readings& into) override { into.insert(now_.begin(), now_.end()); }
  [[nodiscard]] std::vector<sensor::MissingSensor> missing() const override { return {}; }

 private:
  const sensor::Readings& now_;
};

inline sensor::Readings read_values(std::istream& words) {
  sensor::Readings values;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    values[word.substr(0, equals)] = std::stod(word.substr(equals + 1));
  }
  return values;
}

inline schema::SensorRecord read_expected(std::istream& words) {
  std::string name;
  double value = 0;
  double min = 0;
  double max = 0;
  words >> name >> value;
  schema::SensorRecord record = schema::sensor_record(name, value);
  if (!(words >> min >> max)) return record;
  record.min = min;
  record.max = max;
  return record;
}

inline SensorTrace replay(const std::filesystem::path& file) {
  SensorTrace trace;
  trace.name = file.stem().string();
  sensor::Readings now;
  sensor::Recorder recorder({});
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what;
    if (!(words >> what) || what == "#") continue;
    if (what == "=") {
      trace.records.push_back(read_expected(words));
    } else if (what == "!") {
      std::string name;
      words >> name;
      std::getline(words >> std::ws, trace.notes[name]);
    } else if (what == "flags") {
      for (std::string flag; words >> flag;) trace.flags.push_back(flag);
    } else if (what == "before") {
      recorder.add(std::make_unique<ReplayedSource>(now), read_values(words));
    } else {
      now = read_values(words);
      if (what == "tick") {
        recorder.on_tick();
      } else if (what == "result") {
        recorder.on_result();
      } else {
        recorder.on_phase(schema::parse_name<schema::Phase>(what).value());
      }
    }
  }
  recorder.record(trace.launch);
  return trace;
}

inline std::vector<SensorTrace> all_sensor_traces() {
  std::vector<SensorTrace> traces;
  for (const auto& entry : std::filesystem::directory_iterator(MPSBENCH_SOURCE_DIR "/tests/sensor/traces"))
    traces.push_back(replay(entry.path()));
  return traces;
}

}  // namespace mpsbench::tests
