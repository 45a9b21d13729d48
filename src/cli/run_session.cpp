#include "cli/run_session.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/random_hex.hpp"
#include "base/resources.hpp"
#include "cli/ceilings.hpp"
#include "cli/launch_request.hpp"
#include "cli/output_file.hpp"
#include "cli/run_outcome.hpp"
#include "cli/run_view.hpp"
#include "cli/terminal.hpp"
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
#include <utility>

namespace mpsbench::cli {
namespace {

namespace fs = std::filesystem;
using base::ExitCode;
using supervise::RunEnd;

// Asks for the output to be compared with the CPU's until a launch of the same network, precision and device
// has come back well; the CPU's own fp32 is the judge.
schema::LaunchRequest checking_request(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  schema::LaunchRequest request = launch_request(record, planned);
  const schema::CaseSpec& spec = planned.spec;
  if (spec.device.kind == schema::DeviceKind::cpu && spec.precision == schema::Precision::fp32)
    return request;
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

// STEM.json -> STEM with ENDING.
fs::path beside(fs::path report, const char* ending) {
  if (report.extension() == ".json") report.replace_extension();
  report += ending;
  return report;
}

// Of the run and of --versus's.
std::vector<fs::path> report_places(const fs::path& report, std::size_t contenders) {
  return contenders > 1 ? std::vector<fs::path>{report, versus_path(report)} : std::vector<fs::path>{report};
}

void require_places(const schema::RunRecord& record, const fs::path& report, bool versus) {
  if (report.extension() == ".jsonl") {
    throw base::usage_error("--export-json: " + report.string() +
                            " would be the journal's name; end it with .json");
  }
  for (const schema::PlannedCase& planned : record.run.plan) {
    if (planned.dump_first_step_path && versus)
      throw base::usage_error("--dump-first-step: not beside --versus, whose worker would write there too");
    if (planned.dump_first_step_path) {
      const fs::path dump = report::expand_home(*planned.dump_first_step_path);
      if (dump == fs::absolute(report).lexically_normal())
        throw base::usage_error("--dump-first-step: " + dump.string() +
                                " is the report's place; choose another");
      require_place(dump, "--dump-first-step");
    }
  }
  // Makes the folder, so when all else is well.
  for (const fs::path& place : report_places(report, versus ? 2 : 1)) require_place(place, "--export-json");
}

// What is to run: by our own worker, and by --versus's.
struct Contender {
  schema::RunRecord* record = nullptr;
  fs::path worker;
};

// The other worker, and what build it says it is.
struct OtherWorker {
  fs::path program;
  std::optional<schema::ToolInfo> tool;
};

OtherWorker other_worker(const suite::Settings& settings) {
  const fs::path worker = settings.text("versus").value();
  if (!fs::is_regular_file(worker) || ::access(worker.c_str(), X_OK) != 0)
    throw settings.error("versus",
                         worker.string() + " is not a program; give another build's mpsbench-worker");
  try {
    const double patience_seconds =
        std::min(settings.seconds("timeout").value_or(supervise::kProbeSeconds), supervise::kProbeSeconds);
    return {fs::absolute(worker), supervise::probe(fs::absolute(worker), nullptr, patience_seconds).tool};
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    throw settings.error("versus",
                         worker.string() + " is no mpsbench-worker of this version: " + error.what());
  }
}

// The same plan again, as a run of its own by TOOL; a worker that does not say what it is may be of any
// commit.
schema::RunRecord second_run(const schema::RunRecord& record, const std::optional<schema::ToolInfo>& tool) {
  schema::RunRecord second = record;
  second.tool.git_commit.reset();
  if (tool) second.tool = *tool;
  second.run.id = base::random_hex(record.run.id.size());
  second.host.libtorch.reset();
  return second;
}

// With a new journal each, or none of them.
std::vector<RunSide> open_sides(const fs::path& report, const std::vector<Contender>& contenders) {
  const std::vector<fs::path> places = report_places(report, contenders.size());
  std::vector<RunSide> sides;
  try {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const Contender& one = contenders[i];
      sides.push_back({one.record, supervise::Journal::create(journal_path(places[i]), *one.record),
                       places[i], one.worker});
    }
  } catch (const base::Error&) {
    for (RunSide& side : sides) side.journal.remove();
    throw;
  }
  return sides;
}

bool any_exists(const std::vector<fs::path>& files) {
  return std::any_of(files.begin(), files.end(), [](const fs::path& file) { return fs::exists(file); });
}

std::vector<fs::path> journals_of(std::vector<fs::path> reports) {
  for (fs::path& report : reports) report = journal_path(report);
  return reports;
}

// Under a name of our choice: runs that begin in the same second take REPORT, REPORT-2, ...
std::vector<RunSide> open_in_free_place(const fs::path& report, const std::vector<Contender>& contenders) {
  constexpr int kMostNames = 100;
  for (int number = 1;; ++number) {
    fs::path place = report;
    if (number > 1) place.replace_filename(report.stem().string() + "-" + std::to_string(number) + ".json");
    const std::vector<fs::path> places = report_places(place, contenders.size());
    try {
      std::vector<RunSide> sides = open_sides(place, contenders);
      // Only now: whoever had the journal before has left its report.
      if (!any_exists(places)) return sides;
      for (RunSide& side : sides) side.journal.remove();
    } catch (const base::Error&) {
      if (number == kMostNames || !any_exists(journals_of(places))) throw;
    }
  }
}

// The plan is larger now.
bool rewrite_journals(std::vector<RunSide>& sides) {
  try {
    for (RunSide& side : sides) side.journal.rewrite(*side.record);
    return true;
  } catch (const base::Error& error) {
    base::log::warn(std::string(error.what()) +
                    "; the run stops here, nothing that was finished is lost yet");
    return false;
  }
}

RunEnd run_launches(std::vector<RunSide>& sides, const suite::Settings& settings, Sequel& sequel) {
  supervise::Interrupt interrupt;
  std::vector<schema::RunRecord*> records;
  std::vector<supervise::Arm> arms;
  for (RunSide& side : sides) {
    records.push_back(side.record);
    arms.push_back({side.record, &side.journal, side.worker, [&](const schema::PlannedCase& planned) {
                      schema::LaunchRequest request = checking_request(*side.record, planned);
                      request.report_losses = settings.flag("verbose");
                      return request;
                    }});
  }
  bool header = output_format(settings) == "table";
  while (true) {
    RunView view({records.begin(), records.end()}, progress_style(settings), std::exchange(header, false));
    const RunEnd end = supervise::run_plan(arms, view, interrupt);
    view.finish();
    if (end != RunEnd::complete || !sequel.extend(records)) return end;
    if (!rewrite_journals(sides)) return RunEnd::journal_failed;
  }
}

schema::Report finished_report(schema::RunRecord& record, RunEnd end) {
  record.run.finished_at = base::utc_timestamp();
  if (end == RunEnd::interrupted) record.run.status = "interrupted";
  recall_ceilings(record);
  return report::assemble(record);
}

void name_report(const fs::path& report, const suite::Settings& settings) {
  const std::string line = "report  " + output::printable(report.string());
  if (output_format(settings) == "table") {
    std::printf("%s\n", line.c_str());
  } else {
    base::log::info(line);
  }
}

}  // namespace

fs::path journal_path(const fs::path& report) {
  return beside(report, ".jsonl");
}

fs::path versus_path(const fs::path& report) {
  return beside(report, "-versus.json");
}

ExitCode start_session(schema::RunRecord& record, const fs::path& report, const suite::Settings& settings,
                       const std::function<void()>& complete_plan, Sequel& sequel) {
  const bool versus = settings.has("versus");
  require_places(record, report, versus);
  const bool named = settings.has("export-json");
  for (const fs::path& journal : journals_of(report_places(report, versus ? 2 : 1))) {
    if (named && fs::exists(journal)) {
      throw base::usage_error(
          journal.string() +
          ": the journal of an unfinished run is there; go on with it by --resume, or delete it");
    }
  }
  std::vector<Contender> contenders{{&record, base::worker_program()}};  // said before a journal exists
  std::optional<OtherWorker> other;
  if (versus) other = other_worker(settings);
  complete_plan();
  sequel.prepare(record);
  if (settings.flag("ceilings")) measure_ceilings(record);
  std::optional<schema::RunRecord> second;
  if (other) contenders.push_back({&second.emplace(second_run(record, other->tool)), other->program});
  std::vector<RunSide> sides =
      named ? open_sides(report, contenders) : open_in_free_place(report, contenders);
  return run_session(sides, settings, sequel);
}

ExitCode run_session(std::vector<RunSide>& sides, const suite::Settings& settings, Sequel& sequel) {
  const RunEnd end = run_launches(sides, settings, sequel);
  ExitCode code = ExitCode::ok;
  std::vector<schema::Report> reports;
  for (RunSide& side : sides) {
    const schema::Report& done = reports.emplace_back(finished_report(*side.record, end));
    const ExitCode written = write_report(done, side.report, side.journal);
    if (reports.size() == 1) print_report(done, settings);
    if (written == ExitCode::ok) name_report(side.report, settings);
    if (end == RunEnd::interrupted && written == ExitCode::ok && sequel.is_resumable())
      base::log::info("go on with: mpsbench run --resume " +
                      output::printable(output::quoted_for_shell(side.report.string())));
    code = base::worse(code, base::worse(run_outcome(done, end), written));
  }
  name_unsupported(reports.front());
  return end == RunEnd::complete ? base::worse(code, sequel.conclude(reports)) : code;
}

}  // namespace mpsbench::cli
