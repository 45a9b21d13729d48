// Runs a plan to its end and leaves a report.
#pragma once

#include "base/error.hpp"
#include "schema/report.hpp"
#include "suite/settings.hpp"
#include "supervise/journal.hpp"

#include <filesystem>
#include <functional>

namespace mpsbench::cli {

// The journal that belongs to a report's file: STEM.jsonl.
[[nodiscard]] std::filesystem::path journal_path(const std::filesystem::path& report);

// A new run: proves that REPORT can be written before anything runs, COMPLETE_PLAN included, which may start
// workers of its own to fill RECORD's plan. Throws Error(usage).
[[nodiscard]] base::ExitCode start_session(schema::RunRecord& record, const std::filesystem::path& report,
                                           const suite::Settings& settings,
                                           const std::function<void()>& complete_plan);

// Runs what RECORD lacks with JOURNAL open; prints and writes the report.
[[nodiscard]] base::ExitCode run_session(schema::RunRecord& record, supervise::Journal& journal,
                                         const std::filesystem::path& report,
                                         const suite::Settings& settings);

}  // namespace mpsbench::cli
