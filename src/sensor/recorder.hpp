// Follows one launch: takes readings while it measures and makes them records.
#pragma once

#include "schema/launch.hpp"
#include "schema/phase.hpp"
#include "sensor/source.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace mpsbench::sensor {

class Recorder {
 public:
  explicit Recorder(Sources sources) : sources_(std::move(sources)) {}

  // One more source; BEFORE holds quantities that are read once, before the launch is at work.
  void add(std::unique_ptr<Source> source, const Readings& before);

  // The measured part is every stretch of phases that are measured: readings bound it.
  void on_phase(schema::Phase phase) { set_measuring(row_of(phase).measured); }
  // Now and then; a reading when it is due in the measured part, else nothing.
  void on_tick();
  // The worker has ended its work.
  void on_result() { set_measuring(false); }

  // Adds to LAUNCH the records of the measured part and why others are missing.
  void record(schema::Launch& launch) const;

 private:
  struct Track {
    std::size_t count = 0;
    double sum = 0;
    double min = 0;
    double max = 0;
    double last = 0;
    double stretch_start = 0;
    double rise = 0;  // over the stretches that have ended
    bool began_anew = false;
  };

  void set_measuring(bool measured);
  void take_reading();
  // Why COUNTER has no rise over the measured part; empty when it has.
  [[nodiscard]] std::string flaw(const Track& counter) const;

  Sources sources_;
  Readings before_;
  std::map<std::string, Track> tracks_;
  std::size_t readings_ = 0;
  bool measuring_ = false;
};

}  // namespace mpsbench::sensor
