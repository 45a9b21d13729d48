#include "report/compare/required_launches.hpp"

#include "schema/launch_part.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <vector>

namespace mpsbench::report {

namespace {

double variance_of(const ComparedCase& result, schema::GatedMetric metric) {
  const double deviation = stats::stddev(result.logs(metric)).value_or(0);
  return deviation * deviation;
}

// Returns how many launches AFTER needs if BEFORE gets no more. The difference is then as precise as with
// EACH launches on both sides. MOST is the limit.
std::int64_t beside(const CaseComparison& pair, std::int64_t each, std::int64_t most) {
  const std::int64_t fixed = most / kMostAgainstFixed;
  const double before = variance_of(*pair.before, pair.metric);
  const double seen = variance_of(*pair.after, pair.metric);
  if (!(before + seen > 0)) return each;
  const double after = std::max(seen, before);  // a few launches may not show the whole variance
  const double left = (before + seen) / static_cast<double>(each) - before / static_cast<double>(fixed);
  if (!(left * static_cast<double>(most) > after)) return most;
  return static_cast<std::int64_t>(std::ceil(after / left));
}

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

RequiredLaunches required_launches(const Comparison& comparison, bool is_fixed) {
  const auto tests =
      static_cast<std::size_t>(std::count_if(comparison.cases.begin(), comparison.cases.end(),
                                             [](const CaseComparison& pair) { return pair.reason.empty(); }));
  RequiredLaunches plan;
  for (const CaseComparison& pair : comparison.cases) {
    if (!pair.reason.empty() || is_exact(pair) || (is_fixed && pair.before->logs(pair.metric).size() < 2)) continue;
    const std::int64_t each =
        launches_to_call(pair, comparison.rules.alpha, tests).value_or(stats::kMostLaunchesNeeded);
    std::int64_t wanted = each;
    if (is_fixed) {
      const std::int64_t most = kMostAgainstFixed * std::ssize(pair.before->logs(pair.metric));
      wanted = std::max(beside(pair, each, most), least_launches_after(pair, comparison.rules.alpha, tests, most));
    }
    if (wanted > std::ssize(pair.after->logs(pair.metric))) plan[pair.id] = std::max(plan[pair.id], wanted);
  }
  return plan;
}

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

void SpreadStore::keep(const schema::HostInfo& host, const schema::DeviceId& device, const Spreads& spreads) const {
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
  return [this, &host, known](const ComparedCase& before, const ComparedCase& after) -> std::optional<double> {
    auto of_device = known->find(after.spec.device);
    if (of_device == known->end()) of_device = known->emplace(after.spec.device, find(host, after.spec.device)).first;
    const auto found = of_device->second.find(after.id);
    if (found == of_device->second.end()) return std::nullopt;
    return found->second.between(static_cast<std::int64_t>(before.launches.size()),
                                 static_cast<std::int64_t>(after.launches.size()));
  };
}

}  // namespace mpsbench::report
