#include "report/compare/spread_store.hpp"

#include "schema/launch_part.hpp"
#include "stats/summary.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <vector>

namespace mpsbench::report {
namespace {

stats::RunSpread read_spread(base::Reader reader) {
  stats::RunSpread spread;
  spread.launch = reader.at("launch_deviation").number(0, 100);
  spread.run = reader.at("run_deviation").number(0, 100);
  spread.runs = reader.at("runs").integer(static_cast<std::int64_t>(stats::kRunsForSpread),
                                          std::numeric_limits<std::int32_t>::max());
  reader.done();
  return spread;
}

}  // namespace

std::optional<stats::RunSpread> calibrate(const schema::CaseResult& result, std::int64_t per_run) {
  if (per_run < 1) return std::nullopt;
  std::map<std::int64_t, std::vector<double>> runs;
  std::set<std::int64_t> disturbed;
  for (const schema::Launch& launch : result.launches) {
    if (!schema::counts(launch)) continue;
    const auto median = stats::median(launch.samples_seconds);
    if (median) runs[launch.index / per_run].push_back(std::log(*median));
    if (launch.disturbed) disturbed.insert(launch.index / per_run);
  }
  std::erase_if(runs, [&](const auto& run) { return std::ssize(run.second) != per_run; });
  std::vector<std::vector<double>> whole;
  std::vector<std::vector<double>> undisturbed;
  for (auto& [index, logs] : runs) {
    if (!disturbed.contains(index)) undisturbed.push_back(logs);
    whole.push_back(std::move(logs));
  }
  return stats::run_spread(undisturbed.size() >= stats::kRunsForSpread ? undisturbed : whole);
}

void SpreadStore::keep(const schema::HostInfo& host, const schema::DeviceId& device,
                       const Spreads& spreads) const {
  Spreads all = find(host, device);
  for (const auto& [id, spread] : spreads) all[id] = spread;
  nlohmann::ordered_json cases;
  for (const auto& [id, spread] : all)
    cases[id] = {{"launch_deviation", spread.launch}, {"run_deviation", spread.run}, {"runs", spread.runs}};
  files_.keep(machine_key(host, device), cases, "the machine's spread is not recorded");
}

Spreads SpreadStore::find(const schema::HostInfo& host, const schema::DeviceId& device) const {
  Spreads spreads;
  files_.find(machine_key(host, device), [&](base::Reader cases) {
    for (const std::string& id : cases.keys()) spreads[id] = read_spread(cases.at(id));
  });
  return spreads;
}

SpreadOf SpreadStore::spread_of(const schema::HostInfo& host) const {
  const auto known = std::make_shared<std::map<schema::DeviceId, Spreads>>();
  return
      [this, &host, known](const ComparedCase& before, const ComparedCase& after) -> std::optional<double> {
        auto of_device = known->find(after.device);
        if (of_device == known->end())
          of_device = known->emplace(after.device, find(host, after.device)).first;
        const auto found = of_device->second.find(after.id);
        if (found == of_device->second.end()) return std::nullopt;
        return found->second.between(static_cast<std::int64_t>(before.launches.size()),
                                     static_cast<std::int64_t>(after.launches.size()));
      };
}

}  // namespace mpsbench::report
