// What bounds a plan.
#pragma once

#include "schema/report.hpp"

namespace mpsbench::run {

// Throws Error(usage) for more launches than can be kept in order.
void require_countable(const schema::RunRecord& record);

}  // namespace mpsbench::run
