// --batch-size max and best: finds batch sizes by trying, before the launches that are measured.
#pragma once

#include "run/plan/run_event.hpp"
#include "schema/messages.hpp"
#include "schema/report.hpp"
#include "suite/plan_cases.hpp"
#include "supervise/interrupt.hpp"

#include <string>
#include <vector>

namespace mpsbench::run {

// Adds to RECORD's plan, for each case of OPEN, the cases that its search finds. A trial that ends neither
// well nor for lack of memory stops its search; that batch is planned, so that the run records why. A
// batch is never larger than the data set. Shows each trial. Throws Error(interrupted).
void search_batches(schema::RunRecord& record, const std::vector<suite::OpenCase>& open, const suite::Host& host,
                    const RunSink& show);

// Throws Error(usage) if a case of OPEN has ranks on several machines, because trials have all on this one.
void require_one_machine(const std::vector<suite::OpenCase>& open, const schema::LauncherInfo& launcher);

// Trials of any kind: launches that find something out before a run measures. No report has them.

// Returns PLANNED with plain steps: without options that count the work, because counted work may take hours.
[[nodiscard]] schema::PlannedCase plain_trial(schema::PlannedCase planned);

// Runs one launch of REQUEST. Calls stop_trials(WHEN) if it is interrupted.
[[nodiscard]] schema::Launch run_trial(const schema::LaunchRequest& request, double timeout_seconds,
                                       supervise::Interrupt& interrupt, const std::string& when);

// Throws Error(interrupted): "stopped WHEN; nothing was measured yet".
[[noreturn]] void stop_trials(const std::string& when);

}  // namespace mpsbench::run
