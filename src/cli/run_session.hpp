// Runs a plan to its end and leaves a report.
#pragma once

#include "base/error.hpp"
#include "cli/sequel.hpp"
#include "schema/report.hpp"
#include "suite/settings.hpp"
#include "supervise/journal.hpp"

#include <filesystem>
#include <functional>
#include <vector>

namespace mpsbench::cli {

// The journal that belongs to a report's file: STEM.jsonl.
[[nodiscard]] std::filesystem::path journal_path(const std::filesystem::path& report);

// Where the report of --versus's worker stands: STEM-versus.json.
[[nodiscard]] std::filesystem::path versus_path(const std::filesystem::path& report);

// A new run: proves that REPORT can be written before anything runs, COMPLETE_PLAN included, which may start
// workers of its own to fill RECORD's plan. With --versus a second run of the same plan takes turns with it.
// Throws Error(usage).
[[nodiscard]] base::ExitCode start_session(schema::RunRecord& record, const std::filesystem::path& report,
                                           const suite::Settings& settings,
                                           const std::function<void()>& complete_plan, Sequel& sequel);

// One of the runs that take turns.
struct RunSide {
  schema::RunRecord* record = nullptr;
  supervise::Journal journal;
  std::filesystem::path report;
  std::filesystem::path worker;
};

// Runs what the records lack; prints the first side's report and writes all.
[[nodiscard]] base::ExitCode run_session(std::vector<RunSide>& sides, const suite::Settings& settings,
                                         Sequel& sequel);

}  // namespace mpsbench::cli
