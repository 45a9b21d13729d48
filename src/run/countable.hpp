// Limits the size of a plan.
#pragma once

#include "schema/report.hpp"

namespace mpsbench::run {

// Throws Error(usage) if RECORD's plan has more launches than a run can handle.
void require_countable(const schema::RunRecord& record);

}  // namespace mpsbench::run
