#include "report/metrics/resource_metrics.hpp"

#include "base/units.hpp"
#include "report/metrics/counted_launches.hpp"
#include "schema/launch.hpp"
#include "stats/series.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mpsbench::report {

namespace {

struct Energy {
  double joules = 0;
  std::string method;
};

using Sensors = std::vector<schema::SensorRecord>;

const char* counter_of(bool on_cpu) {
  return on_cpu ? schema::sensor::kCpuEnergy : schema::sensor::kGpuEnergy;
}

std::optional<Energy> energy_of(const Sensors& sensors, bool on_cpu) {
  const auto counted = schema::sensor_value(sensors, counter_of(on_cpu));
  if (!counted) return std::nullopt;
  if (!on_cpu) return Energy{*counted, "nvml"};
  const auto dram = schema::sensor_value(sensors, schema::sensor::kDramEnergy);
  if (dram) return Energy{*counted + *dram, "rapl package and dram"};
  return Energy{*counted, "rapl package"};
}

// Returns the sensors of each GPU that ran the launch or, on the CPU, of each machine.
std::vector<const Sensors*> all_sensors(const schema::Launch& launch, bool on_cpu) {
  std::vector<const Sensors*> all{&launch.sensors};
  std::set<std::string> hosts;
  for (const schema::RankResult& rank : launch.ranks) {
    const bool is_same_machine = !rank.host || !hosts.insert(*rank.host).second;
    if (rank.rank > 0 && !(on_cpu && is_same_machine)) all.push_back(&rank.sensors);
  }
  return all;
}

// Returns nullopt if one of the counters is not known.
std::optional<Energy> energy_of(const schema::CaseSpec& spec, const schema::Launch& launch, bool on_cpu) {
  const std::vector<const Sensors*> all = all_sensors(launch, on_cpu);
  if (!on_cpu && std::ssize(all) != spec.ranks) return std::nullopt;
  std::optional<Energy> total;
  for (const Sensors* sensors : all) {
    const auto energy = energy_of(*sensors, on_cpu);
    if (!energy || (total && total->method != energy->method)) return std::nullopt;
    if (!total) total = Energy{0, energy->method};
    total->joules += energy->joules;
  }
  return total;
}

double measured_seconds(const schema::Launch& launch) {
  if (launch.loop_seconds) return *launch.loop_seconds;
  const auto& samples = launch.samples_seconds;
  return std::accumulate(samples.begin(), samples.end(), 0.0) * static_cast<double>(launch.steps_per_sample);
}

// Returns why the launches have no energy.
std::string reason(const std::vector<const schema::Launch*>& good, bool on_cpu) {
  if (good.empty()) return "no launch succeeded";
  bool is_partly_known = false;
  for (const schema::Launch* launch : good) {
    const auto note = launch->sensor_notes.find(counter_of(on_cpu));
    if (note != launch->sensor_notes.end()) return note->second;
    for (const schema::RankResult& rank : launch->ranks) {
      const auto other = rank.sensor_notes.find(counter_of(on_cpu));
      if (other != rank.sensor_notes.end()) return "rank " + std::to_string(rank.rank) + ": " + other->second;
    }
    is_partly_known = is_partly_known || energy_of(launch->sensors, on_cpu);
  }
  return is_partly_known ? "the counters of other ranks were not read" : "no energy counter was read";
}

constexpr std::size_t kLeastReadings = 8;

std::optional<std::int64_t> largest(const std::vector<const schema::Launch*>& good,
                                    std::optional<std::int64_t> schema::Launch::* field) {
  std::optional<std::int64_t> most;
  for (const schema::Launch* launch : good) {
    const std::optional<std::int64_t>& value = launch->*field;
    if (value) most = std::max(most.value_or(0), *value);
  }
  return most;
}

// Returns the launches of GOOD that held no copies for a comparison, or all if there are none.
std::vector<const schema::Launch*> without_comparison(const std::vector<const schema::Launch*>& good) {
  std::vector<const schema::Launch*> result;
  for (const schema::Launch* launch : good) {
    if (!schema::has_compared(*launch)) result.push_back(launch);
  }
  return result.empty() ? good : result;
}

}  // namespace

void set_energy(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
                Notes& notes) {
  metrics.energy_method = "none";
  const bool on_cpu = spec.device.row().is_host;
  std::optional<Energy> total;
  double rows = 0;
  double seconds = 0;
  for (const schema::Launch* launch : good) {
    const auto energy = energy_of(spec, *launch, on_cpu);
    if (!energy || (total && total->method != energy->method)) continue;
    if (!total) total = Energy{0, energy->method};
    total->joules += energy->joules;
    rows += measured_rows(spec, *launch);
    seconds += measured_seconds(*launch);
  }
  std::string& note = notes["metrics.energy_joules_per_row"];
  if (!total) {
    note = reason(good, on_cpu);
  } else if (seconds < kLeastEnergySeconds || rows <= 0) {
    note = "measured for less than " + base::format_duration(kLeastEnergySeconds) +
           ", too short for the counter; use --min-time to measure longer";
  } else {
    notes.erase("metrics.energy_joules_per_row");
    metrics.energy_joules_per_row = total->joules / rows;
    metrics.energy_method = total->method;
  }
}

std::optional<double> live_bytes_per_step(const schema::Launch& launch) {
  const std::size_t count = launch.live_bytes.size();
  if (count < kLeastReadings) return std::nullopt;
  std::vector<double> steps;
  std::vector<double> bytes;
  for (std::size_t i = count / 2; i < count; ++i) {
    steps.push_back(static_cast<double>(launch.live_bytes[i].step));
    bytes.push_back(static_cast<double>(launch.live_bytes[i].bytes));
  }
  return stats::median_slope(steps, bytes);
}

bool is_leaking(const schema::Launch& launch) {
  if (launch.live_bytes.size() < kLeastReadings) return false;
  const std::size_t last = launch.live_bytes.size() - 1;
  const auto at_quarter = [&](std::size_t quarter) { return launch.live_bytes[quarter * last / 4].bytes; };
  for (std::size_t quarter = 1; quarter < 4; ++quarter) {
    if (at_quarter(quarter + 1) - at_quarter(quarter) <= kLeakBytes) return false;
  }
  return true;
}

void set_memory(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
                Notes& notes) {
  metrics.peak_device_bytes = largest(good, &schema::Launch::peak_device_bytes);
  metrics.peak_reserved_bytes = largest(good, &schema::Launch::peak_reserved_bytes);
  metrics.peak_resident_bytes = largest(without_comparison(good), &schema::Launch::peak_resident_bytes);
  std::string reason = "no launch succeeded";
  if (!good.empty()) {
    reason = spec.device.row().is_host ? "the CPU has no separate memory: see peak_resident_bytes"
                                       : "the device's allocator does not report it";
  }
  if (!metrics.peak_device_bytes) notes["metrics.peak_device_bytes"] = reason;
  if (!metrics.peak_reserved_bytes) notes["metrics.peak_reserved_bytes"] = reason;
  if (!metrics.peak_resident_bytes) {
    notes["metrics.peak_resident_bytes"] = good.empty() ? reason : "the system does not report it";
  }
  std::vector<double> slopes;
  for (const schema::Launch* launch : good) {
    if (const auto slope = live_bytes_per_step(*launch)) slopes.push_back(*slope);
  }
  metrics.live_bytes_per_step = stats::median(slopes);
  if (slopes.empty()) notes["metrics.live_bytes_per_step"] = "no launch has enough readings";
}

}  // namespace mpsbench::report
