// A run as far as it has come -> its report: statuses, metrics, flags and the reasons of what is null.
#pragma once

#include "schema/report.hpp"

namespace mpsbench::report {

// Cases in the plan's order, each with the launches it has. A case's status is that of its first failed
// launch, else ok; one that was interrupted (launches missing or interrupted) is ok when it has a good
// launch, else interrupted. run.status becomes "interrupted" when the user or a kill ended the run early,
// "partial" when a launch did not end well, else "complete". Home folders become "~". Throws Error(usage) for
// a definition that is missing or broken.
[[nodiscard]] schema::Report assemble(const schema::RunRecord& record);

}  // namespace mpsbench::report
