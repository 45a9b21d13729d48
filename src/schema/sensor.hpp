// What sensors reported while a launch was measured: the table of all quantities, and the records of a
// launch.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

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
  std::string meaning;  // for docs/report.md
};

// Returns all quantities, in the order in which they appear in a launch.
[[nodiscard]] const std::vector<SensorQuantity>& sensor_quantities();
// Returns the Markdown table of all quantities that is in docs/report.md below the line "<!-- sensors -->".
[[nodiscard]] std::string sensor_table();

struct SensorRecord {
  std::string name{};
  std::string unit{};
  double value = 0;  // for a gauge, its mean
  std::optional<double> min{};
  std::optional<double> max{};
};

// Returns a record of VALUE with the unit of the quantity NAME.
[[nodiscard]] SensorRecord sensor_record(const std::string& name, double value);
// Returns nullopt if RECORDS has no such quantity.
[[nodiscard]] std::optional<double> sensor_value(const std::vector<SensorRecord>& records,
                                                 std::string_view name);

[[nodiscard]] nlohmann::ordered_json to_json(const SensorRecord& record);
[[nodiscard]] SensorRecord read_sensor_record(base::Reader reader);

}  // namespace mpsbench::schema
