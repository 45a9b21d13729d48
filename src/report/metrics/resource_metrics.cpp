#include "base/units.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/metric_parts.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace mpsbench::report {

namespace {

struct Energy {
  double joules = 0;
  std::string method;
};

using Sensors = std::vector<schema::SensorRecord>;

// Adds ENERGY to TOTAL. Returns false if another counter measured it.
bool add(const Energy& energy, std::optional<Energy>& total) {
  if (total && total->method != energy.method) return false;
  if (!total) total = Energy{0, energy.method};
  total->joules += energy.joules;
  return true;
}

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
    if (!energy || !add(*energy, total)) return std::nullopt;
  }
  return total;
}

double measured_seconds(const schema::Launch& launch) {
  if (launch.loop_seconds) return *launch.loop_seconds;
  const auto& samples = launch.samples_seconds;
  return std::accumulate(samples.begin(), samples.end(), 0.0) * static_cast<double>(launch.steps_per_sample);
}

// Returns why the launches have no energy.
std::string reason(const Launches& good, bool on_cpu) {
  if (good.empty()) return kNoLaunch;
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

std::optional<std::int64_t> largest(const Launches& good, std::optional<std::int64_t> schema::Launch::* field) {
  std::optional<std::int64_t> most;
  for (const schema::Launch* launch : good) {
    const std::optional<std::int64_t>& value = launch->*field;
    if (value) most = std::max(most.value_or(0), *value);
  }
  return most;
}

// Returns the launches of GOOD that held no copies for a comparison, or all if there are none.
Launches without_comparison(const Launches& good) {
  Launches result = good;
  std::erase_if(result, [](const schema::Launch* launch) { return schema::has_compared(*launch); });
  return result.empty() ? good : result;
}

}  // namespace

void set_energy(CaseFigures& figures) {
  using schema::Metrics;
  const bool generates = row_of(figures.spec.mode).generates;
  const auto kMetric = generates ? &Metrics::energy_joules_per_token : &Metrics::energy_joules_per_row;
  if (generates) figures.note(&Metrics::energy_joules_per_row, kOnlyTokens);
  figures.metrics.energy_method = "none";
  const bool on_cpu = figures.spec.device.row().is_host;
  std::optional<Energy> total;
  double rows = 0;
  double seconds = 0;
  Launches running = figures.whole;
  std::erase_if(running, [](const auto* one) { return one->disturbed == schema::Disturbance::stopped; });
  if (running.empty() && !figures.whole.empty())
    return figures.note(kMetric, "a signal or the machine's sleep stopped each launch, and its counter went on");
  for (const schema::Launch* launch : running) {
    const auto energy = energy_of(figures.spec, *launch, on_cpu);
    if (!energy || !add(*energy, total)) continue;
    rows += measured_rows(figures.spec, *launch);
    seconds += measured_seconds(*launch);
  }
  if (!total) return figures.note(kMetric, reason(figures.whole, on_cpu));
  if (seconds < kLeastEnergySeconds || rows <= 0)
    return figures.note(kMetric, "measured for less than " + base::format_duration(kLeastEnergySeconds) +
                                     ", too short for the counter; use --min-time to measure longer");
  figures.metrics.*kMetric = total->joules / rows;
  figures.metrics.energy_method = total->method;
}

void set_energy_per_token(CaseFigures& figures) {
  constexpr auto kMetric = &schema::Metrics::energy_joules_per_token;
  if (row_of(figures.spec.mode).generates) return;  // set_energy() has set it
  const auto tokens = schema::tokens_per_row(figures.spec);
  if (!tokens) return figures.note(kMetric, kNoTokens);
  const std::optional<double>& row = figures.metrics.energy_joules_per_row;
  if (!row) return figures.note(kMetric, figures.reason_of(&schema::Metrics::energy_joules_per_row));
  figures.metrics.*kMetric = *row / static_cast<double>(*tokens);
}

void set_memory(CaseFigures& figures) {
  using schema::Launch;
  using schema::Metrics;
  const Launches& good = figures.good;
  const char* why_none = good.empty()                        ? kNoLaunch
                         : figures.spec.device.row().is_host ? "the CPU has no separate memory: see peak_resident_bytes"
                                                             : "the device's allocator does not report it";
  figures.set(&Metrics::peak_device_bytes, largest(good, &Launch::peak_device_bytes), why_none);
  figures.set(&Metrics::peak_reserved_bytes, largest(good, &Launch::peak_reserved_bytes), why_none);
  figures.set(&Metrics::peak_resident_bytes, largest(without_comparison(good), &Launch::peak_resident_bytes),
              good.empty() ? kNoLaunch : "the system does not report it");
  figures.set(&Metrics::live_bytes_per_step, median_over(good, live_bytes_per_step), "no launch has enough readings");
}

}  // namespace mpsbench::report
