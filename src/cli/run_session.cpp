#include "cli/run_session.hpp"

#include "base/atomic_file.hpp"
#include "base/clock.hpp"
#include "base/json_file.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "cli/ceilings.hpp"
#include "cli/launch_request.hpp"
#include "cli/output_file.hpp"
#include "cli/run_view.hpp"
#include "cli/terminal.hpp"
#include "output/console_table.hpp"
#include "output/exporters.hpp"
#include "output/plain.hpp"
#include "output/text.hpp"
#include "report/assemble.hpp"
#include "report/privacy.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/run_order.hpp"
#include "supervise/run_plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>

namespace mpsbench::cli {
namespace {

namespace fs = std::filesystem;
using base::ExitCode;

// Asks for the output to be compared with the CPU's until a launch of the same network, precision and device
// has come back well; the CPU's own fp32 is the judge.
schema::LaunchRequest checking_request(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  schema::LaunchRequest request = launch_request(record, planned);
  const schema::CaseSpec& spec = planned.spec;
  if (spec.device == "cpu" && spec.precision == "fp32") return request;
  request.check_output =
      std::none_of(record.run.plan.begin(), record.run.plan.end(), [&](const schema::PlannedCase& other) {
        if (!supervise::computes_alike(other, planned)) return false;
        const auto launches = record.launches.find(other.id);
        return launches != record.launches.end() &&
               std::any_of(launches->second.begin(), launches->second.end(),
                           [](const auto& launch) { return launch.status == schema::Status::ok; });
      });
  return request;
}

// One line for all cases on devices that are not here.
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

// The ids of cases that were planned to run out of memory. Says so of those that did not.
std::set<std::string> bounds(const schema::Report& report) {
  std::set<std::string> ids;
  for (const schema::PlannedCase& planned : report.run.plan) {
    if (planned.is_bound) ids.insert(planned.id);
  }
  for (const schema::CaseResult& result : report.cases) {
    if (result.status == schema::Status::ok && ids.contains(result.id))
      base::log::warn(result.id +
                      " ran out of memory when it was tried, and runs now: the limit is not sharp");
  }
  return ids;
}

ExitCode outcome(const schema::Report& report, supervise::RunEnd end) {
  ExitCode code = ExitCode::ok;
  if (end == supervise::RunEnd::interrupted) code = ExitCode::interrupted;
  if (end == supervise::RunEnd::journal_failed) code = ExitCode::incomplete;
  if (end == supervise::RunEnd::other_libtorch) code = ExitCode::usage;
  const bool none_could = std::all_of(
      report.cases.begin(), report.cases.end(),
      [](const schema::CaseResult& result) { return result.status == schema::Status::unsupported; });
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

void print_report(const schema::Report& report, const std::string& format, const suite::Settings& settings) {
  if (format == "table") {
    std::string text = "\n" + output::console_table(report, use_colour(settings, STDOUT_FILENO)) + "\n";
    text += output::summary_sentence(report) + "\n";
    std::fputs(text.c_str(), stdout);
  } else if (format == "plain") {
    std::fputs(output::plain_lines(report).c_str(), stdout);
  } else {
    std::fputs(output::exporters().at(format)(report).c_str(), stdout);
  }
  std::fflush(stdout);
}

// Where REPORT is when its own place fails: the folder for temporary files may be on another disk.
std::string written_elsewhere(const schema::Report& report, const std::string& text) {
  try {
    const fs::path path = fs::temp_directory_path() / ("mpsbench-" + report.run.id + ".json");
    base::write_file_atomically(path, text);
    return "; this report, whole, is in " + path.string();
  } catch (const std::exception&) {
    return "";  // both disks are full
  }
}

// The final file. Where it cannot be written, the journal stays.
ExitCode write_report(const schema::Report& report, const fs::path& path, supervise::Journal& journal) {
  const std::string text = base::to_text(schema::to_json(report), 1) + "\n";
  try {
    base::write_file_atomically(path, text);
    journal.remove();
    return ExitCode::ok;
  } catch (const base::Error& error) {
    std::string message = error.what();
    if (supervise::Journal::is_journal(journal.path()))
      message += "; --resume goes on from " + journal.path().string();
    base::log::warn(message + written_elsewhere(report, text));
    return ExitCode::incomplete;
  }
}

void require_places(const schema::RunRecord& record, const fs::path& report) {
  if (report.extension() == ".jsonl") {
    throw base::usage_error("--export-json: " + report.string() +
                            " would be the journal's name; end it with .json");
  }
  for (const schema::PlannedCase& planned : record.run.plan) {
    if (planned.dump_first_step_path) {
      require_place(report::expand_home(*planned.dump_first_step_path), "--dump-first-step");
    }
  }
  require_place(report, "--export-json");  // makes its folder, so when all else is well
}

// Under a name of our choice: runs that begin in the same second take REPORT, REPORT-2, ...
ExitCode start_in_free_place(schema::RunRecord& record, const fs::path& report,
                             const suite::Settings& settings) {
  constexpr int kMostNames = 100;
  for (int number = 1;; ++number) {
    fs::path place = report;
    if (number > 1) place.replace_filename(report.stem().string() + "-" + std::to_string(number) + ".json");
    std::optional<supervise::Journal> journal;
    try {
      journal = supervise::Journal::create(journal_path(place), record);
    } catch (const base::Error&) {
      if (number == kMostNames || !fs::exists(journal_path(place))) throw;
      continue;
    }
    // Only now: whoever had the journal before has left its report.
    if (!fs::exists(place)) return run_session(record, *journal, place, settings);
    journal->remove();
  }
}

}  // namespace

fs::path journal_path(const fs::path& report) {
  fs::path path = report;
  if (path.extension() == ".json") path.replace_extension();
  path += ".jsonl";
  return path;
}

ExitCode start_session(schema::RunRecord& record, const fs::path& report, const suite::Settings& settings,
                       const std::function<void()>& complete_plan) {
  require_places(record, report);
  const bool named = settings.has("export-json");
  const fs::path journal_file = journal_path(report);
  if (named && fs::exists(journal_file)) {
    throw base::usage_error(
        journal_file.string() +
        ": the journal of an unfinished run is there; go on with it by --resume, or delete it");
  }
  (void)base::worker_program();  // a missing worker is said before a journal exists
  complete_plan();
  if (settings.flag("ceilings")) measure_ceilings(record);
  if (!named) return start_in_free_place(record, report, settings);
  supervise::Journal journal = supervise::Journal::create(journal_file, record);
  return run_session(record, journal, report, settings);
}

ExitCode run_session(schema::RunRecord& record, supervise::Journal& journal, const fs::path& report,
                     const suite::Settings& settings) {
  supervise::Interrupt interrupt;
  const std::string format = settings.flag("plain") ? "plain" : settings.text("output").value_or("table");
  RunView view(record, progress_style(settings), format == "table");
  const supervise::RunEnd end = supervise::run_plan(
      record, journal, base::worker_program(),
      [&](const schema::PlannedCase& planned) {
        schema::LaunchRequest request = checking_request(record, planned);
        request.report_losses = settings.flag("verbose");
        return request;
      },
      view, interrupt);
  view.finish();

  record.run.finished_at = base::utc_timestamp();
  if (end == supervise::RunEnd::interrupted) record.run.status = "interrupted";
  recall_ceilings(record);
  const schema::Report done = report::assemble(record);
  const ExitCode written = write_report(done, report, journal);
  print_report(done, format, settings);
  if (written == ExitCode::ok) {
    const std::string line = "report  " + output::printable(report.string());
    if (format == "table") {
      std::printf("%s\n", line.c_str());
    } else {
      base::log::info(line);
    }
  }
  if (end == supervise::RunEnd::interrupted && written == ExitCode::ok)
    base::log::info("go on with: mpsbench run --resume " +
                    output::printable(output::quoted_for_shell(report.string())));
  name_unsupported(done);
  return base::worse(outcome(done, end), written);
}

}  // namespace mpsbench::cli
