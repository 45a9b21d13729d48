// What the fronts that a launcher has started must have in common before they measure.
#pragma once

#include "base/error.hpp"
#include "schema/messages.hpp"
#include "schema/rank.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::run {

// Returns this machine's name in its network.
[[nodiscard]] std::string machine_name();

// Returns the facts of this front. RECORD is null if the run is resumed, because only rank 0 then has the
// plan. Throws Error(usage) if a file of the plan cannot be read.
[[nodiscard]] schema::FrontFacts front_facts(std::int64_t ranks, const schema::RunRecord* record);

// Returns why the FRONTS that came to PLACE cannot measure together, or nullopt if they can. Rank 0's front
// comes first.
[[nodiscard]] std::optional<base::Error> disagreement(const std::vector<schema::FrontFacts>& fronts,
                                                      const schema::GroupPlace& place);

// Returns the names that other machines than rank 0's have in reports, by the ranks that run there.
[[nodiscard]] std::map<std::int64_t, std::string> other_hosts(const std::vector<schema::FrontFacts>& fronts);

}  // namespace mpsbench::run
