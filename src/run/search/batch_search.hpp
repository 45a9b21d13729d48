// --batch-size max and best: finds batch sizes by trying, before the launches that are measured.
#pragma once

#include "run/plan/view.hpp"
#include "run/search/batch_trials.hpp"
#include "schema/report.hpp"
#include "suite/plan_cases.hpp"

#include <vector>

namespace mpsbench::run {

// Adds to RECORD's plan, for each case of OPEN, the cases that its search finds. A trial that ends neither
// well nor for lack of memory stops its search; that batch is planned, so that the run records why. Shows
// each trial. Throws Error(interrupted).
void search_batches(schema::RunRecord& record, const std::vector<suite::OpenCase>& open, const suite::Host& host,
                    View& view);

// Throws Error(usage) if a case of OPEN has ranks on several machines, because trials have all on this one.
void require_one_machine(const std::vector<suite::OpenCase>& open, const schema::LauncherInfo& launcher);

// --batch-size max: tries batches in launches of a few steps and plans the largest that runs.

// Plans the largest batch that runs and the next one, which ran out of memory. A batch is never larger than
// the data set.
void search_largest_batch(BatchTrials& trials);

}  // namespace mpsbench::run
