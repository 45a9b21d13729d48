// What sensors reported while a launch was measured: the table of all quantities, and the records of a
// launch.
#pragma once

#include "schema/field_json.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::schema {

// The names of all quantities. sensor_quantities() has their units and meanings.
namespace sensor {
inline constexpr const char* kOtherCpuShare = "other_cpu_share";
inline constexpr const char* kCpuDistance = "cpu_distance_seconds";
inline constexpr const char* kCpuClock = "cpu_clock";
inline constexpr const char* kCpuTemperature = "cpu_temperature";
inline constexpr const char* kCpuThrottleEvents = "cpu_throttle_events";
inline constexpr const char* kCpuQuotaPauses = "cpu_quota_pauses";
inline constexpr const char* kCpuEnergy = "cpu_energy";
inline constexpr const char* kDramEnergy = "dram_energy";
inline constexpr const char* kOnBattery = "on_battery";
inline constexpr const char* kLowPowerMode = "low_power_mode";
inline constexpr const char* kThermalState = "thermal_state";
inline constexpr const char* kGpuClock = "gpu_clock";
inline constexpr const char* kGpuMaxClock = "gpu_max_clock";
inline constexpr const char* kGpuTemperature = "gpu_temperature";
inline constexpr const char* kGpuPower = "gpu_power";
inline constexpr const char* kGpuEnergy = "gpu_energy";
inline constexpr const char* kGpuUtilization = "gpu_utilization";
inline constexpr const char* kGpuThrottled = "gpu_throttled";
inline constexpr const char* kGpuSwPowerCap = "gpu_sw_power_cap";
inline constexpr const char* kGpuHwSlowdown = "gpu_hw_slowdown";
inline constexpr const char* kGpuClocksSetting = "gpu_clocks_setting";
inline constexpr const char* kGpuOtherProcesses = "gpu_other_processes";
inline constexpr const char* kGpuOtherMemory = "gpu_other_memory";
inline constexpr const char* kGpuOtherUtilization = "gpu_other_utilization";
inline constexpr const char* kMpsCpuFallbackOperators = "mps_cpu_fallback_operators";
}  // namespace sensor

struct SensorQuantity {
  // What a record holds: a gauge's mean, minimum and maximum over the measured part; a counter's increase
  // over it; or a single value.
  enum class Kind { gauge, counter, single };
  std::string name;
  std::string unit;
  Kind kind;
  std::string meaning;       // for docs/report.md
  bool is_compared = false;  // comparing reports looks at it
};

// Returns all quantities, in the order in which they appear in a launch.
[[nodiscard]] const std::vector<SensorQuantity>& sensor_quantities();
// Returns the Markdown table of all quantities that is in docs/report.md below the line "<!-- sensors -->".
[[nodiscard]] std::string sensor_table();

struct SensorRecord {
  std::string name{}, unit{};
  double value = 0;
  std::optional<double> min{}, max{};
};

template <>
inline constexpr auto kFields<SensorRecord> =
    table("sensor", field<&SensorRecord::name>({"Name of the quantity; docs/report.md lists all of them."}),
          field<&SensorRecord::unit>({"Its unit."}),
          field<&SensorRecord::value>({"For a gauge, the mean over the measured part."}),
          field<&SensorRecord::min>(absent_when_empty({"The least, of a gauge."})),
          field<&SensorRecord::max>(absent_when_empty({"The greatest, of a gauge."})));

// Whether comparing reports looks at the quantity NAME.
[[nodiscard]] bool is_compared(std::string_view name);
// Returns a record of VALUE with the unit of the quantity NAME.
[[nodiscard]] SensorRecord sensor_record(const std::string& name, double value);
// Returns nullopt if RECORDS has no such quantity.
[[nodiscard]] std::optional<double> sensor_value(const std::vector<SensorRecord>& records, std::string_view name);

// What disturbed a launch from outside. Only sensors decide that, never the launch's own times.
enum class Disturbance { background_load, stopped, other_side };

template <>
struct ClosedSet<Disturbance> {
  static constexpr const char* kWhat = "disturbance";
  static constexpr std::array kRows{
      HelpRow{Disturbance::background_load, "background-load", "other processes took the CPU or GPU"},
      HelpRow{Disturbance::stopped, "stopped", "a signal, a debugger or the machine's sleep stopped it"},
      HelpRow{Disturbance::other_side, "other-side",
              "the launch of the other worker, with which it took turns, was disturbed"}};
};

inline constexpr double kBackgroundCpuShare = 0.05;  // share of the time of all usable logical cores
inline constexpr double kBackgroundGpuShare = 0.05;  // share of the GPU's time

// Whether the SENSORS of a launch, or of one of its ranks, say that other processes used more than that.
[[nodiscard]] bool shows_background_load(const std::vector<SensorRecord>& sensors);

}  // namespace mpsbench::schema
