// `run --resume FILE`: continues the run of a journal or a report.
#pragma once

#include "base/error.hpp"
#include "run/session/session.hpp"
#include "schema/report.hpp"
#include "suite/settings.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::supervise {
class LeadingFront;
}

namespace mpsbench::run {

// The file determines what is measured, and how; options may only change what is shown. Throws Error(usage)
// if SUITES or SETTINGS ask for more.
void refuse_beside_resume(const std::vector<std::string>& suites, const suite::Settings& settings);

struct UnfinishedRun {
  std::filesystem::path file;
  std::filesystem::path report;  // to be written
  bool is_journal = false;
  schema::RunRecord record;  // without the launches that run again
  std::size_t missing = 0;   // the number of launches to run
  std::unique_ptr<Task> task;
};

// Reads FILE and finds the launches to run: those that are missing, crashed, timed out, lost a rank or were
// interrupted.
// Throws Error(usage) if FILE is neither a journal nor a report, if its weights or data are missing or have
// changed, or if it is from another machine, build or environment.
[[nodiscard]] UnfinishedRun load_unfinished(const std::filesystem::path& file);

// Runs the missing launches and finishes the run as if it had not stopped. REPORTS_LOSSES is that of Session,
// LEAD that of start_run(). Throws Error(usage) if the run was started under another launcher.
[[nodiscard]] base::ExitCode resume_run(UnfinishedRun& run, bool reports_losses, const RunSink& show,
                                        std::optional<double> time_limit_seconds = {},
                                        supervise::LeadingFront* lead = nullptr);

}  // namespace mpsbench::run
