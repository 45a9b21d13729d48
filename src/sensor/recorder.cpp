#include "sensor/recorder.hpp"

#include <algorithm>
#include <utility>

namespace mpsbench::sensor {

using Kind = schema::SensorQuantity::Kind;

void Recorder::add(std::unique_ptr<Source> source, const Readings& before) {
  sources_.push_back(std::move(source));
  before_.insert(before.begin(), before.end());
}

void Recorder::set_measuring(bool measured) {
  if (measured == measuring_) return;
  measuring_ = measured;
  take_reading();
  for (auto& [name, track] : tracks_) {
    if (measured) {
      track.stretch_start = track.last;
    } else {
      track.rise += track.last - track.stretch_start;
      track.began_anew = track.began_anew || track.last < track.stretch_start;
    }
  }
}

void Recorder::on_tick() {
  if (measuring_) take_reading();
}

void Recorder::take_reading() {
  Readings now;
  for (const auto& source : sources_) source->read(now);
  ++readings_;
  for (const auto& [name, value] : now) {
    Track& track = tracks_[name];
    if (track.count == 0) track.min = track.max = value;
    ++track.count;
    track.sum += value;
    track.min = std::min(track.min, value);
    track.max = std::max(track.max, value);
    track.last = value;
  }
}

std::string Recorder::flaw(const Track& counter) const {
  if (measuring_) return "the measured part did not end";
  if (counter.count < readings_) return "some of its readings failed";
  return counter.began_anew ? "the counter was reset" : "";
}

void Recorder::record(schema::Launch& launch) const {
  for (const schema::SensorQuantity& quantity : schema::sensor_quantities()) {
    if (const auto single = before_.find(quantity.name); single != before_.end())
      launch.sensors.push_back(schema::sensor_record(quantity.name, single->second));
    const auto found = tracks_.find(quantity.name);
    if (found == tracks_.end()) continue;
    const Track& track = found->second;
    if (quantity.kind == Kind::counter) {
      const std::string reason = flaw(track);
      if (reason.empty()) {
        launch.sensors.push_back(schema::sensor_record(quantity.name, track.rise));
      } else {
        launch.sensor_notes[quantity.name] = reason;
      }
      continue;
    }
    const double mean = track.sum / static_cast<double>(track.count);
    launch.sensors.push_back(schema::sensor_record(quantity.name, mean));
    launch.sensors.back().min = track.min;
    launch.sensors.back().max = track.max;
  }
  if (readings_ == 0) return;
  for (const auto& source : sources_) {
    for (const MissingSensor& one : source->missing()) {
      launch.sensor_notes[one.name] = one.reason + (one.cure.empty() ? "" : "; " + one.cure);
    }
  }
}

}  // namespace mpsbench::sensor
