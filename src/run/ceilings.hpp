// The ceilings that a run's cases are held against: measured by mpsbench-ops, or kept from an earlier run.
#pragma once

#include "schema/report.hpp"

namespace mpsbench::run {

// Puts into RECORD what its cases need and keeps it for later runs; only what is not yet known is measured.
// A device whose ceilings cannot be measured costs a warning. Throws Error(usage) without mpsbench-ops and
// Error(interrupted).
void measure_ceilings(schema::RunRecord& record);

// Puts into RECORD, whose LibTorch is known by now, what an earlier run has kept for devices that have none.
void recall_ceilings(schema::RunRecord& record);

}  // namespace mpsbench::run
