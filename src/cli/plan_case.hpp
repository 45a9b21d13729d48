// The plan of a run: that of one case, from the definition that the run keeps, and what bounds the whole.
#pragma once

#include "schema/plan.hpp"
#include "schema/report.hpp"

namespace mpsbench::cli {

// Throws Error(usage) when the definition is missing or broken.
[[nodiscard]] schema::Plan plan_case(const schema::RunRecord& record, const schema::PlannedCase& planned);

// Throws Error(usage) for more launches than can be kept in order.
void require_countable(const schema::RunRecord& record);

}  // namespace mpsbench::cli
