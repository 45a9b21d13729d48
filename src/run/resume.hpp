// `run --resume FILE`: goes on with a journal or a report.
#pragma once

#include "base/error.hpp"
#include "run/task.hpp"
#include "run/view.hpp"
#include "schema/report.hpp"
#include "suite/settings.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace mpsbench::run {

// What is measured, and how, stands in the file; only what is shown may be asked for anew. Throws
// Error(usage) for SUITES and SETTINGS that ask for more.
void refuse_beside_resume(const std::vector<std::string>& suites, const suite::Settings& settings);

struct UnfinishedRun {
  std::filesystem::path file;
  bool is_journal = false;
  schema::RunRecord record;  // without what runs again
  std::size_t missing = 0;   // launches
  std::unique_ptr<Task> task;
};

// What FILE lacks: launches that are missing, crashed, timed out or were interrupted. Throws Error(usage) for
// a file that is neither or whose weights, data or baseline are gone or changed, or of another machine, build
// or environment.
[[nodiscard]] UnfinishedRun load_unfinished(const std::filesystem::path& file);

// Runs it and ends as the run would have ended. REPORTS_LOSSES as of a Session.
[[nodiscard]] base::ExitCode resume_run(UnfinishedRun& run, bool reports_losses, View& view);

}  // namespace mpsbench::run
