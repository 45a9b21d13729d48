#include "report/metrics/energy.hpp"

#include "base/units.hpp"
#include "report/metrics/measured_steps.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

namespace mpsbench::report {
namespace {

struct Energy {
  double joules = 0;
  std::string method;
};

std::optional<Energy> energy_of(const schema::Launch& launch, bool on_cpu) {
  const auto counted =
      schema::sensor_value(launch.sensors, on_cpu ? schema::sensor::kCpuEnergy : schema::sensor::kGpuEnergy);
  if (!counted) return std::nullopt;
  if (!on_cpu) return Energy{*counted, "nvml"};
  const auto dram = schema::sensor_value(launch.sensors, schema::sensor::kDramEnergy);
  if (dram) return Energy{*counted + *dram, "rapl package and dram"};
  return Energy{*counted, "rapl package"};
}

double measured_seconds(const schema::Launch& launch) {
  if (launch.loop_seconds) return *launch.loop_seconds;
  const auto& samples = launch.samples_seconds;
  return std::accumulate(samples.begin(), samples.end(), 0.0) * static_cast<double>(launch.steps_per_sample);
}

// Returns why the launches have no energy.
std::string reason(const std::vector<const schema::Launch*>& good, bool on_cpu) {
  if (good.empty()) return "no launch succeeded";
  for (const schema::Launch* launch : good) {
    const auto note =
        launch->sensor_notes.find(on_cpu ? schema::sensor::kCpuEnergy : schema::sensor::kGpuEnergy);
    if (note != launch->sensor_notes.end()) return note->second;
  }
  return "no energy counter was read";
}

}  // namespace

void set_energy(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                schema::Metrics& metrics, Notes& notes) {
  metrics.energy_method = "none";
  const bool on_cpu = !spec.device.asynchronous();
  if (spec.ranks > 1 && !on_cpu) {
    notes["metrics.energy_joules_per_row"] = "only the GPU of rank 0 is read, not those of the other ranks";
    return;
  }
  std::optional<Energy> total;
  double rows = 0;
  double seconds = 0;
  for (const schema::Launch* launch : good) {
    const auto energy = energy_of(*launch, on_cpu);
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

}  // namespace mpsbench::report
