// What disturbed a launch from outside. Only sensors decide that, never the launch's own times.
#pragma once

#include "schema/closed_set.hpp"
#include "schema/sensor.hpp"

#include <array>
#include <vector>

namespace mpsbench::schema {

enum class Disturbance { background_load, stopped, other_side };

struct DisturbanceRow {
  Disturbance value;
  std::string_view name;
  std::string_view help;
};

template <>
struct ClosedSet<Disturbance> {
  static constexpr const char* kWhat = "disturbance";
  static constexpr std::array kRows{
      DisturbanceRow{Disturbance::background_load, "background-load", "other processes took the CPU or GPU"},
      DisturbanceRow{Disturbance::stopped, "stopped",
                     "a signal, a debugger or the machine's sleep stopped it"},
      DisturbanceRow{Disturbance::other_side, "other-side",
                     "the launch of the other worker, with which it took turns, was disturbed"}};
};
static_assert(is_whole<Disturbance>());

inline constexpr double kBackgroundCpuShare = 0.05;  // share of the time of all usable logical cores
inline constexpr double kBackgroundGpuShare = 0.05;  // share of the GPU's time

// Whether the SENSORS of a launch, or of one of its ranks, say that other processes used more than that.
[[nodiscard]] bool shows_background_load(const std::vector<SensorRecord>& sensors);

}  // namespace mpsbench::schema
