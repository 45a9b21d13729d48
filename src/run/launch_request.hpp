// What the worker is sent for a planned case.
#pragma once

#include "schema/messages.hpp"
#include "schema/report.hpp"

namespace mpsbench::run {

// RECORD holds the case's definition. The output is not checked unless the caller asks for it.
[[nodiscard]] schema::LaunchRequest launch_request(const schema::RunRecord& record,
                                                   const schema::PlannedCase& planned);

}  // namespace mpsbench::run
