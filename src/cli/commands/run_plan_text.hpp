// The output of --dry-run.
#pragma once

#include "schema/report.hpp"
#include "suite/plan_cases.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::cli {

// Returns one line per case with id, launches, parameters, minimum memory and time, one for each case of
// OPEN, and the total, in which these count with the network's own batch size. If FILLED_SECONDS is set, the
// run adds launches until then.
[[nodiscard]] std::string plan_text(const schema::RunRecord& record, const std::vector<suite::OpenCase>& open = {},
                                    const suite::Host& host = {}, std::optional<double> filled_seconds = {});

}  // namespace mpsbench::cli
