// Follows one launch: reads the sensors while it measures, and turns the readings into records.
#pragma once

#include "schema/launch.hpp"
#include "schema/launch_part.hpp"
#include "sensor/source.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace mpsbench::sensor {

class Recorder {
 public:
  explicit Recorder(Sources sources) : sources_(std::move(sources)) {}

  // Adds a source. BEFORE holds quantities that were read once, before the launch started work.
  void add(std::unique_ptr<Source> source, const Readings& before);

  // The measured part is made of all measured phases. Sensors are read where it starts and ends.
  void on_phase(schema::Phase phase) { set_measuring(row_of(phase).measured); }
  // Call this at intervals. Reads the sensors if the launch is in a measured phase.
  void on_tick();
  // Call this when the worker has finished.
  void on_result() { set_measuring(false); }

  // Adds to LAUNCH the records of the measured part, and notes that say why others are missing.
  void record(schema::Launch& launch) const;

 private:
  struct Track {
    std::size_t count = 0;
    double sum = 0;
    double min = 0;
    double max = 0;
    double last = 0;
    double stretch_start = 0;
    double rise = 0;  // over the measured phases that have ended
    bool began_anew = false;
  };

  void set_measuring(bool measured);
  void take_reading();
  // Returns why COUNTER's rise over the measured part is unknown, or an empty text if it is known.
  [[nodiscard]] std::string flaw(const Track& counter) const;

  Sources sources_;
  Readings before_;
  std::map<std::string, Track> tracks_;
  std::size_t readings_ = 0;
  bool measuring_ = false;
};

}  // namespace mpsbench::sensor
