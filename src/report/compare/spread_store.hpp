// How far two runs lie apart on a machine though nothing changed: recorded by `mpsbench calibrate`, heeded by
// comparing.
#pragma once

#include "report/compare/compare.hpp"
#include "report/host/machine_cache.hpp"
#include "schema/report.hpp"
#include "stats/run_spread.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::report {

// Of one case, from launches that followed each other: RUNS times PER_RUN of them. A run that lacks a good
// launch is left out; nullopt where too few are left.
[[nodiscard]] std::optional<stats::RunSpread> calibrate(const schema::CaseResult& result,
                                                        std::int64_t per_run);

// Spreads by case id.
using Spreads = std::map<std::string, stats::RunSpread>;

// What was found out about a case.
struct CalibratedCase {
  std::string id;
  std::int64_t launches = 0;               // of a run
  std::optional<stats::RunSpread> spread;  // null: too few good launches
};

class SpreadStore {
 public:
  // FOLDER as of a MachineCache.
  explicit SpreadStore(std::filesystem::path folder) : files_(std::move(folder), "spread") {}

  // Beside what is kept of other cases; that of the same is replaced. SPREADS: of cases on DEVICE.
  void keep(const schema::HostInfo& host, const schema::DeviceId& device, const Spreads& spreads) const;
  [[nodiscard]] Spreads find(const schema::HostInfo& host, const schema::DeviceId& device) const;

  // For cases of reports of HOST, which must outlive it, as must this.
  [[nodiscard]] SpreadOf spread_of(const schema::HostInfo& host) const;

 private:
  MachineCache files_;
};

}  // namespace mpsbench::report
