// Launches that find something out before a run measures. No report has them.
#pragma once

#include "schema/messages.hpp"
#include "schema/report.hpp"
#include "supervise/interrupt.hpp"

#include <string>

namespace mpsbench::run {

// Returns PLANNED with plain steps: without options that count the work, because counted work may take hours.
[[nodiscard]] schema::PlannedCase plain_trial(schema::PlannedCase planned);

// Throws Error(interrupted): "stopped WHEN; nothing was measured yet".
[[noreturn]] void stop_trials(const std::string& when);

// Runs one launch of REQUEST. Calls stop_trials(WHEN) if it is interrupted.
[[nodiscard]] schema::Launch run_trial(schema::LaunchRequest request, double timeout_seconds,
                                       supervise::Interrupt& interrupt, const std::string& when);

}  // namespace mpsbench::run
