// A run whose fronts a launcher has started, one a rank.
#pragma once

#include "base/error.hpp"
#include "suite/host.hpp"
#include "supervise/launcher.hpp"
#include "supervise/leading_front.hpp"

#include <functional>
#include <string>

namespace mpsbench::run {

// For the fronts to meet and agree.
inline constexpr double kRendezvousSeconds = 60;

// Returns what a plan needs to know of PLACE.
[[nodiscard]] suite::LaunchedRanks launched_ranks(const supervise::LauncherPlace& place);

// Meets the other fronts. If all agree (see front_facts.hpp), LEAD runs on rank 0, while the others follow
// its orders; all return LEAD's exit code. LEAD must print its errors itself and not throw: some launchers
// kill rank 0 as soon as another front ends with an error. DEVICES are those that this front's worker sees,
// asked for before if a launch runs on one of several. Throws the same Error on all ranks if they do not
// agree, and Error(usage) if one does not reach the others.
[[nodiscard]] base::ExitCode run_with_fronts(const supervise::LauncherPlace& place, schema::FrontFacts facts,
                                             double timeout_seconds, const suite::DeviceList& devices,
                                             const std::function<base::ExitCode(supervise::LeadingFront&)>& lead);

}  // namespace mpsbench::run
