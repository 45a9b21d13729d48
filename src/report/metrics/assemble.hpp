// Makes the report of a run, finished or not: statuses, metrics, flags, and the reasons for missing values.
#pragma once

#include "schema/report.hpp"

namespace mpsbench::report {

// The cases are in the plan's order, each with the launches it has so far. A case's status is that of its
// first failed launch, otherwise ok. If launches are missing or interrupted, the case is ok if it has a good
// launch, otherwise interrupted. run.status becomes "interrupted" if the user or a signal ended the run
// early, "partial" if a launch failed, and "complete" otherwise. Home folders become "~". Throws Error(usage)
// if a definition is missing or broken.
[[nodiscard]] schema::Report assemble(const schema::RunRecord& record);

}  // namespace mpsbench::report
