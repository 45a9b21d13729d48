#include "schema/sensor.hpp"

#include <algorithm>
#include <stdexcept>

namespace mpsbench::schema {

namespace {

const SensorQuantity& quantity(const std::string& name) {
  const auto& all = sensor_quantities();
  const auto found = std::ranges::find(all, name, &SensorQuantity::name);
  if (found == all.end()) throw std::logic_error("no such sensor quantity: " + name);
  return *found;
}

}  // namespace

const std::vector<SensorQuantity>& sensor_quantities() {
  using Kind = SensorQuantity::Kind;
  static const std::vector<SensorQuantity> kQuantities{
      {sensor::kOtherCpuShare, "1", Kind::single,
       "CPU time of other processes during the launch, on the logical cores that it may use, divided by (its "
       "duration x these cores)"},
      {sensor::kCpuDistance, "s", Kind::gauge,
       "time that a cache line takes from one of the launch's CPUs to another and back, just before and just "
       "after a launch on the CPU with two or more threads (Linux)",
       true},
      {sensor::kCpuClock, "Hz", Kind::gauge, "CPU clock from cpufreq, of at most 16 evenly spread CPUs"},
      {sensor::kCpuTemperature, "°C", Kind::gauge, "the hottest of the CPU's temperature sensors"},
      {sensor::kCpuThrottleEvents, "1", Kind::counter,
       "thermal throttle events of cores and packages, summed over the logical CPUs"},
      {sensor::kCpuQuotaPauses, "1", Kind::counter,
       "how often the CPU quota of a control group (a container's, for example) paused its processes, summed "
       "over the nested groups that have one"},
      {sensor::kCpuEnergy, "J", Kind::counter, "energy of all CPU packages, from RAPL", true},
      {sensor::kDramEnergy, "J", Kind::counter, "energy of all packages' memory, from RAPL, if it has such a counter",
       true},
      {sensor::kOnBattery, "1", Kind::gauge, "1 if the machine runs on battery, 0 on mains"},
      {sensor::kLowPowerMode, "1", Kind::gauge, "1 if the system's low-power mode is on, otherwise 0"},
      {sensor::kThermalState, "1", Kind::gauge, "macOS's thermal state: 0 nominal, 1 fair, 2 serious, 3 critical"},
      {sensor::kGpuClock, "Hz", Kind::gauge, "clock of the multiprocessors, from NVML", true},
      {sensor::kGpuMaxClock, "Hz", Kind::gauge, "highest possible clock of the multiprocessors, from NVML"},
      {sensor::kGpuTemperature, "°C", Kind::gauge, "temperature of the GPU, from NVML"},
      {sensor::kGpuPower, "W", Kind::gauge, "power of the whole board, from NVML"},
      {sensor::kGpuEnergy, "J", Kind::counter, "energy of the whole board, from NVML", true},
      {sensor::kGpuUtilization, "1", Kind::gauge, "share of the time in which a kernel ran, from NVML"},
      {sensor::kGpuThrottled, "1", Kind::gauge,
       "1 while heat (software or hardware slowdown) or the power brake slows the GPU down, otherwise 0"},
      {sensor::kGpuSwPowerCap, "1", Kind::gauge,
       "1 while the GPU is held at its power limit, which is normal at full load, otherwise 0"},
      {sensor::kGpuHwSlowdown, "1", Kind::gauge,
       "1 while NVML reports a hardware slowdown, which it also does when clocks change, otherwise 0"},
      {sensor::kGpuClocksSetting, "1", Kind::gauge, "1 while somebody has fixed the GPU's clocks, otherwise 0", true},
      {sensor::kGpuOtherProcesses, "1", Kind::single,
       "compute processes on the GPU before the worker opened it, from NVML"},
      {sensor::kGpuOtherMemory, "B", Kind::single,
       "GPU memory in use (the driver's included) before the worker opened the GPU, from NVML"},
      {sensor::kGpuOtherUtilization, "1", Kind::single,
       "GPU utilisation just before the worker opened the GPU, from NVML"},
      {sensor::kMpsCpuFallbackOperators, "1", Kind::single,
       "number of different operators that MPS ran on the CPU in the first step"},
  };
  return kQuantities;
}

std::string sensor_table() {
  std::string table = "| sensor | unit | what it is |\n| --- | --- | --- |\n";
  for (const SensorQuantity& one : sensor_quantities())
    table += "| `" + one.name + "` | " + one.unit + " | " + one.meaning + " |\n";
  return table;
}

bool is_compared(std::string_view name) {
  return std::ranges::any_of(sensor_quantities(),
                             [&](const SensorQuantity& one) { return one.is_compared && one.name == name; });
}

SensorRecord sensor_record(const std::string& name, double value) {
  return {.name = name, .unit = quantity(name).unit, .value = value};
}

std::optional<double> sensor_value(const std::vector<SensorRecord>& records, std::string_view name) {
  for (const SensorRecord& record : records) {
    if (record.name == name) return record.value;
  }
  return std::nullopt;
}

bool shows_background_load(const std::vector<SensorRecord>& sensors) {
  return sensor_value(sensors, sensor::kOtherCpuShare).value_or(0) > kBackgroundCpuShare ||
         sensor_value(sensors, sensor::kGpuOtherUtilization).value_or(0) > kBackgroundGpuShare;
}

}  // namespace mpsbench::schema
