// The ceilings with which a run's cases are compared: measured by mpsbench-ops, or saved by an earlier run.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::run {

// Adds to RECORD the ceilings that its cases need, measures those that are not saved yet, and saves them for
// later runs. Warns if a device's ceilings cannot be measured. Throws Error(usage) if there is no
// mpsbench-ops, and Error(interrupted).
void measure_ceilings(schema::RunRecord& record);

// Adds to RECORD saved ceilings of an earlier run with this version of LibTorch for devices that have none.
void recall_ceilings(schema::RunRecord& record, const std::string& libtorch_version);

}  // namespace mpsbench::run
