#include "run/session/outcome.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <set>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;
using base::ExitCode;

// Returns the ids of the cases that were planned to run out of memory. Warns about those that did not.
std::set<std::string> bounds(const schema::Report& report) {
  std::set<std::string> ids;
  for (const schema::PlannedCase& planned : report.run.planned) {
    if (planned.is_bound) ids.insert(planned.id);
  }
  for (const schema::CaseResult& result : report.cases) {
    if (result.status == schema::Status::ok && ids.contains(result.id))
      base::log::warn(result.id + " ran out of memory during the search, but not now: the limit is not exact");
  }
  return ids;
}

// Writes REPORT to the folder for temporary files, which may be on another disk, because its own file failed.
// Returns the end of a message that says so.
std::string written_elsewhere(const schema::Report& report) {
  try {
    const fs::path path = fs::temp_directory_path() / ("mpsbench-" + report.run.id + ".json");
    schema::save_report(report, path);
    return "; the complete report is in " + path.string();
  } catch (const std::exception&) {
    return "";  // both disks are full
  }
}

}  // namespace

ExitCode write_report(const schema::Report& report, const fs::path& path, supervise::Journal& journal) {
  try {
    schema::save_report(report, path, journal.path());
    journal.remove();
    return ExitCode::ok;
  } catch (const base::Error& error) {
    std::string message = error.what();
    if (supervise::Journal::is_journal(journal.path()))
      message += "; to continue the run, use --resume " + journal.path().string();
    base::log::warn(message + written_elsewhere(report));
    return ExitCode::incomplete;
  }
}

void name_unsupported(const schema::Report& report) {
  std::size_t count = 0;
  std::set<std::string> reasons;
  for (const schema::CaseResult& result : report.cases) {
    if (result.status != schema::Status::unsupported || !result.failure) continue;
    ++count;
    reasons.insert(result.failure->message);
  }
  if (count == 0) return;
  std::string text = std::to_string(count) + (count == 1 ? " case was" : " cases were") + " not run:";
  for (const std::string& reason : reasons) text += " " + reason + ".";
  base::log::warn(text);
}

bool is_resumable(const schema::RunInfo& run) {
  return !run.purpose || schema::row_of(*run.purpose).is_resumable;
}

ExitCode exit_code_of(const schema::Report& report, supervise::RunEnd end) {
  ExitCode code = ExitCode::ok;
  if (end == supervise::RunEnd::interrupted) code = ExitCode::interrupted;
  if (end == supervise::RunEnd::journal_failed || end == supervise::RunEnd::time_limit) code = ExitCode::incomplete;
  if (end == supervise::RunEnd::other_libtorch) code = ExitCode::usage;
  const bool none_could = std::all_of(report.cases.begin(), report.cases.end(), [](const schema::CaseResult& result) {
    return result.status == schema::Status::unsupported;
  });
  const std::set<std::string> bound = bounds(report);
  for (const schema::CaseResult& result : report.cases) {
    if (result.status == schema::Status::oom && bound.contains(result.id)) continue;
    if (result.status == schema::Status::unsupported) {
      if (report.run.strict || none_could) code = base::worse(code, ExitCode::no_device);
    } else if (result.status != schema::Status::ok) {
      code = base::worse(code, ExitCode::incomplete);
    }
  }
  return code;
}

}  // namespace mpsbench::run
