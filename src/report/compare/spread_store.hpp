// How far apart two runs on a machine lie although nothing changed. `mpsbench calibrate` records it, and
// comparisons take it into account.
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

// Returns the spread of one case, whose launches followed each other; each PER_RUN of them count as one run.
// Leaves out a run that lacks a good launch. Returns nullopt if too few runs are left.
[[nodiscard]] std::optional<stats::RunSpread> calibrate(const schema::CaseResult& result,
                                                        std::int64_t per_run);

// Spreads by case id.
using Spreads = std::map<std::string, stats::RunSpread>;

// The result of calibrating one case.
struct CalibratedCase {
  std::string id;
  std::int64_t launches = 0;               // per run
  std::optional<stats::RunSpread> spread;  // null: too few good launches
};

class SpreadStore {
 public:
  // FOLDER is that of MachineCache.
  explicit SpreadStore(std::filesystem::path folder) : files_(std::move(folder), "spread") {}

  // Replaces what is kept of the cases in SPREADS, which ran on DEVICE. What is kept of other cases stays.
  void keep(const schema::HostInfo& host, const schema::DeviceId& device, const Spreads& spreads) const;
  [[nodiscard]] Spreads find(const schema::HostInfo& host, const schema::DeviceId& device) const;

  // Returns a function that looks up the spread of cases in reports of HOST. HOST and this object must
  // outlive it.
  [[nodiscard]] SpreadOf spread_of(const schema::HostInfo& host) const;

 private:
  MachineCache files_;
};

}  // namespace mpsbench::report
