// --batch-size max: tries batches in launches of a few steps and plans the largest that runs.
#pragma once

#include "run/view.hpp"
#include "schema/report.hpp"
#include "suite/plan_cases.hpp"

#include <vector>

namespace mpsbench::run {

// Adds to RECORD's plan, for each case of OPEN, the largest batch that runs and the next one, which ran out
// of memory. A batch is never larger than the data set. A trial that ends in any other way stops its search;
// that batch is planned, so that the run records why. Shows each trial. Throws Error(interrupted).
void search_batches(schema::RunRecord& record, const std::vector<suite::OpenCase>& open,
                    const suite::Host& host, View& view);

}  // namespace mpsbench::run
