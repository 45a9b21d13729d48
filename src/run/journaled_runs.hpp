// Opens the journals of the runs that take turns: one run, or two with --versus.
#pragma once

#include "supervise/run_launches.hpp"

#include <filesystem>
#include <vector>

namespace mpsbench::run {

// Makes a new journal for each of RUNS; if one cannot be made, none is left. The first is next to REPORT. If
// the user did not name REPORT (IS_NAMED), runs that begin in the same second take REPORT, REPORT-2, ...
// Throws Error(usage).
[[nodiscard]] std::vector<supervise::JournaledRun> open_journals(const std::filesystem::path& report, bool is_named,
                                                                 const std::vector<supervise::WorkerRun>& runs);

}  // namespace mpsbench::run
