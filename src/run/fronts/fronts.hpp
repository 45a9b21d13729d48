// A run whose fronts a launcher has started, one a rank, and what they must have in common before they measure.
#pragma once

#include "base/error.hpp"
#include "schema/messages.hpp"
#include "schema/rank.hpp"
#include "schema/report.hpp"
#include "suite/host.hpp"
#include "supervise/front_orders.hpp"
#include "supervise/launcher.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace mpsbench::run {

inline constexpr double kRendezvousSeconds = 60;

// Returns the facts of this front. RECORD is null if the run is resumed, because only rank 0 then has the
// plan. Throws Error(usage) if a file of the plan cannot be read.
[[nodiscard]] schema::FrontFacts front_facts(std::int64_t ranks, const schema::RunRecord* record);

// Throws Error unless the FRONTS that came to PLACE can measure together. Rank 0's front comes first.
void require_agreement(const std::vector<schema::FrontFacts>& fronts, const schema::GroupPlace& place);

// Returns the names that other machines than rank 0's have in reports, by the ranks that run there.
[[nodiscard]] std::map<std::int64_t, std::string> other_hosts(const std::vector<schema::FrontFacts>& fronts);

// Returns what a plan needs to know of PLACE.
[[nodiscard]] suite::LaunchedRanks launched_ranks(const supervise::LauncherPlace& place);

// Meets the other fronts. If all agree (see require_agreement()), LEAD runs on rank 0, while the others follow
// its orders; all return LEAD's exit code. LEAD must print its errors itself and not throw: some launchers
// kill rank 0 as soon as another front ends with an error. DEVICES are those that this front's worker sees,
// asked for before if a launch runs on one of several. Throws the same Error on all ranks if they do not
// agree, and Error(usage) if one does not reach the others.
[[nodiscard]] base::ExitCode run_with_fronts(supervise::LauncherPlace place, schema::FrontFacts facts,
                                             double timeout_seconds, const suite::DeviceList& devices,
                                             const std::function<base::ExitCode(supervise::LeadingFront&)>& lead);

}  // namespace mpsbench::run
