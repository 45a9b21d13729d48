// How many launches a comparison needs, and how far apart two runs on a machine lie although nothing changed.
#pragma once

#include "report/compare/compare.hpp"
#include "report/host/machine_cache.hpp"
#include "schema/report.hpp"
#include "stats/launches_needed.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::report {

// A run is judged once it has the launches that required_launches asks for: after the first launches or after
// the added ones. False verdicts can happen at both times, so each time uses alpha / kLooks.
inline constexpr int kLooks = 2;

// By case id, the total number of launches that AFTER should have, if it has fewer: as many as the metric that needs
// most. It depends on the launches' spread alone, not on the change that they show. IS_FIXED means that BEFORE gets no
// more launches. Then AFTER gets more instead, up to kMostAgainstFixed times as many as BEFORE has.
using RequiredLaunches = std::map<std::string, std::int64_t>;
inline constexpr std::int64_t kMostAgainstFixed = 4;
[[nodiscard]] RequiredLaunches required_launches(const Comparison& comparison, bool is_fixed);

// A case of a run that is planned for a time limit gets PlannedCase's usual number of launches, and more up
// to this number if there is time. Further launches would hardly narrow its interval.
inline constexpr std::int64_t kMostPlanned = 20;

// The spread of one case, whose launches followed each other; each PER_RUN of them count as one run. Leaves out
// a run that lacks a good launch. Nullopt if too few runs are left.
[[nodiscard]] std::optional<stats::RunSpread> calibrate(const schema::CaseResult& result, std::int64_t per_run);

// Spreads by case id.
using Spreads = std::map<std::string, stats::RunSpread>;

// The result of calibrating one case.
struct CalibratedCase {
  std::string id;
  std::int64_t launches = 0;               // per run
  std::optional<stats::RunSpread> spread;  // null: too few good launches
};

// Keeps what `mpsbench calibrate` measured.
class SpreadStore {
 public:
  explicit SpreadStore(std::filesystem::path folder) : files_(std::move(folder), "spread") {}

  // Replaces what is kept of the cases in SPREADS, which ran on DEVICE. What is kept of other cases stays.
  void keep(const schema::HostInfo& host, const schema::DeviceId& device, const Spreads& spreads) const;
  [[nodiscard]] Spreads find(const schema::HostInfo& host, const schema::DeviceId& device) const;

  // Looks up the spread of cases in reports of HOST. HOST and this object must outlive the function.
  [[nodiscard]] SpreadOf spread_of(const schema::HostInfo& host) const;

 private:
  MachineCache files_;
};

}  // namespace mpsbench::report
