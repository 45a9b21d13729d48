// Makes the worker's request for a planned case.
#pragma once

#include "schema/messages.hpp"
#include "schema/report.hpp"

namespace mpsbench::run {

// RECORD must contain the case's definition. The request does not ask for a check of the output, its package
// lacks a folder, and its group lacks a rank and an address; callers can add that.
[[nodiscard]] schema::LaunchRequest launch_request(const schema::RunRecord& record, const schema::PlannedCase& planned);

}  // namespace mpsbench::run
