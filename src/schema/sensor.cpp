#include "schema/sensor.hpp"

#include "schema/optional_json.hpp"

#include <algorithm>
#include <stdexcept>

namespace mpsbench::schema {
namespace {

const SensorQuantity& quantity(const std::string& name) {
  const auto& all = sensor_quantities();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (found == all.end()) throw std::logic_error("no such sensor quantity: " + name);
  return *found;
}

std::optional<double> find_number(base::Reader& reader, std::string_view key) {
  const auto value = reader.find(key);
  return value ? std::optional(value->number()) : std::nullopt;
}

}  // namespace

const std::vector<SensorQuantity>& sensor_quantities() {
  using Kind = SensorQuantity::Kind;
  static const std::vector<SensorQuantity> kQuantities{
      {sensor::kOtherCpuShare, "1", Kind::single,
       "CPU time of other processes over the whole launch / (its time x logical cores)"},
      {sensor::kCpuClock, "Hz", Kind::gauge, "cpufreq's clocks, of at most 16 CPUs evenly spread"},
      {sensor::kCpuTemperature, "°C", Kind::gauge, "the hottest of the CPU's thermal sensors"},
      {sensor::kCpuThrottleEvents, "1", Kind::counter,
       "thermal throttle events of cores and packages, summed over the logical CPUs"},
      {sensor::kCpuEnergy, "J", Kind::counter, "RAPL, all packages"},
      {sensor::kDramEnergy, "J", Kind::counter, "RAPL, memory of all packages, where it has a counter"},
      {sensor::kOnBattery, "1", Kind::gauge, "1 on battery, 0 on mains"},
      {sensor::kLowPowerMode, "1", Kind::gauge, "1 when the system saves energy, else 0"},
      {sensor::kThermalState, "1", Kind::gauge, "macOS: 0 nominal, 1 fair, 2 serious, 3 critical"},
      {sensor::kGpuClock, "Hz", Kind::gauge, "NVML, the multiprocessors' clock"},
      {sensor::kGpuMaxClock, "Hz", Kind::gauge, "NVML, the most that this clock can be"},
      {sensor::kGpuTemperature, "°C", Kind::gauge, "NVML"},
      {sensor::kGpuPower, "W", Kind::gauge, "NVML, the whole board"},
      {sensor::kGpuEnergy, "J", Kind::counter, "NVML, the whole board"},
      {sensor::kGpuUtilization, "1", Kind::gauge, "NVML, share of time in which a kernel ran"},
      {sensor::kGpuThrottled, "1", Kind::gauge,
       "1 while the GPU slows down for heat (by software or hardware) or its power brake, else 0"},
      {sensor::kGpuSwPowerCap, "1", Kind::gauge,
       "1 while the GPU is held at its power limit, which is normal at full load, else 0"},
      {sensor::kGpuHwSlowdown, "1", Kind::gauge,
       "1 while NVML says hardware slowdown, which it also does when clocks change, else 0"},
      {sensor::kGpuClocksSetting, "1", Kind::gauge, "1 while somebody has set the GPU's clocks, else 0"},
      {sensor::kGpuOtherProcesses, "1", Kind::single,
       "NVML, compute processes on the GPU before the worker opened it"},
      {sensor::kGpuOtherMemory, "B", Kind::single,
       "NVML, memory in use before the worker opened the GPU, the driver's own included"},
      {sensor::kGpuOtherUtilization, "1", Kind::single,
       "NVML, utilisation just before the worker opened the GPU"},
      {sensor::kMpsCpuFallbackOperators, "1", Kind::single,
       "different operators of the first step that MPS handed to the CPU"},
  };
  return kQuantities;
}

std::string sensor_table() {
  std::string table = "| sensor | unit | what it is |\n| --- | --- | --- |\n";
  for (const SensorQuantity& one : sensor_quantities())
    table += "| `" + one.name + "` | " + one.unit + " | " + one.meaning + " |\n";
  return table;
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

nlohmann::ordered_json to_json(const SensorRecord& record) {
  nlohmann::ordered_json value{{"name", record.name}, {"unit", record.unit}, {"value", record.value}};
  if (record.min) value["min"] = *record.min;
  if (record.max) value["max"] = *record.max;
  return value;
}

SensorRecord read_sensor_record(base::Reader reader) {
  SensorRecord record;
  record.name = reader.at("name").string();
  record.unit = reader.at("unit").string();
  record.value = reader.at("value").number();
  record.min = find_number(reader, "min");
  record.max = find_number(reader, "max");
  reader.done();
  return record;
}

}  // namespace mpsbench::schema
