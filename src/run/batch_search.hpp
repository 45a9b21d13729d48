// --batch-size max and best: finds batch sizes by trying, before the launches that are measured.
#pragma once

#include "run/view.hpp"
#include "schema/report.hpp"
#include "suite/plan_cases.hpp"

#include <vector>

namespace mpsbench::run {

// Adds to RECORD's plan, for each case of OPEN, the cases that its search finds. A trial that ends neither
// well nor for lack of memory stops its search; that batch is planned, so that the run records why. Shows
// each trial. Throws Error(interrupted).
void search_batches(schema::RunRecord& record, const std::vector<suite::OpenCase>& open,
                    const suite::Host& host, View& view);

// Throws Error(usage) if a case of OPEN has ranks on several machines, because trials have all on this one.
void require_one_machine(const std::vector<suite::OpenCase>& open, const schema::LauncherInfo& launcher);

}  // namespace mpsbench::run
