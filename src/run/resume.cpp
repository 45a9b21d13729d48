#include "run/resume.hpp"

#include "base/atomic_file.hpp"
#include "base/log.hpp"
#include "base/place.hpp"
#include "base/resources.hpp"
#include "base/safetensors.hpp"
#include "base/units.hpp"
#include "model/build_network_plan.hpp"
#include "report/host/host_capture.hpp"
#include "report/host/privacy.hpp"
#include "run/plan/machine.hpp"
#include "run/plan/places.hpp"
#include "run/run_plan.hpp"
#include "run/session/outcome.hpp"
#include "run/tasks.hpp"
#include "schema/host.hpp"
#include "schema/run_info.hpp"
#include "schema/weights_check.hpp"
#include "suite/dataset_choice.hpp"
#include "suite/model_file.hpp"
#include "suite/option.hpp"
#include "supervise/front_orders.hpp"
#include "supervise/journal.hpp"
#include "supervise/run_order.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw base::usage_error("--resume: " + file.string() + " " + why);
}

schema::RunRecord record_of(const schema::Report& report, const fs::path& file) {
  schema::RunRecord record{report.tool, report.run, report.host, {}};
  for (const schema::CaseResult& result : report.cases) {
    if (result.published) refuse(file, "holds published figures, not a run of mpsbench; run a suite instead");
    const auto definition = report.run.definitions.find(result.definition_sha256);
    if (definition != report.run.definitions.end() && schema::is_timed_loop(definition->second))
      refuse(file,
             "holds a loop that another program timed; run that program again, then join the reports with mpsbench "
             "merge");
    record.launches[result.id] = result.launches;
  }
  return record;
}

schema::RunRecord load(const fs::path& file) {
  if (supervise::Journal::is_journal(file)) return supervise::Journal::load(file);
  std::error_code error;
  if (const fs::path journal = journal_path(file); !fs::exists(file, error) && fs::exists(journal, error)) {
    supervise::Journal::require_free(journal);
    refuse(file, "does not exist, but the journal of its run does; name that: --resume " + journal.string());
  }
  return record_of(read_own_report(file), file);
}

// A case must not mix launches of two machines.
void require_same_machine(const schema::HostInfo& then, const fs::path& file) {
  const schema::HostInfo now = report::read_machine("/");
  if (now.cpu.model == then.cpu.model && now.cpu.logical_cores == then.cpu.logical_cores) return;
  refuse(file, "was started on another machine (" + then.cpu.model + "); continue it there");
}

std::string build_words(const schema::ToolInfo& tool) {
  return tool.name + " " + tool.version + (tool.git_commit ? " of commit " + schema::commit_text(tool) : "");
}

void require_same_build(const schema::ToolInfo& then, const fs::path& file) {
  const schema::ToolInfo now = schema::tool_info();
  if (now.version == then.version && schema::commit_text(now) == schema::commit_text(then)) return;
  refuse(file, "was started by " + build_words(then) + ", but this is " + build_words(now) + "; start a new run");
}

void require_same_environment(const schema::HostInfo& then, const fs::path& file) {
  const std::map<std::string, std::string> now = report::captured_environment();
  std::map<std::string, std::string> either = then.environment;
  either.insert(now.begin(), now.end());
  const auto words = [](const std::map<std::string, std::string>& environment, const std::string& name) {
    const auto found = environment.find(name);
    return found == environment.end() ? name + " unset" : name + "=" + base::excerpt(found->second);
  };
  for (const auto& [name, unused] : either) {
    const std::string before = words(then.environment, name);
    const std::string after = words(now, name);
    if (before == after) continue;
    refuse(file,
           "was started with " + before + ", but now runs with " + after + "; set it as before, or start a new run");
  }
}

// Checks the plan in the file now, so that the run does not fail half-way.
void require_sound_plan(const schema::RunRecord& record, const fs::path& file) {
  try {
    require_countable(record);
    for (const schema::PlannedCase& planned : record.run.planned)
      (void)model::case_network_plan(record.run, planned.definition_sha256, planned.spec);
  } catch (const base::Error& error) {
    throw base::usage_error(file.string() + ": " + error.what());
  }
}

void require_data(const schema::PlannedCase& planned) {
  const std::string folder = report::expand_home(planned.data_path.value());
  std::optional<std::string> vocabulary;
  if (planned.vocabulary_path) vocabulary = report::expand_home(*planned.vocabulary_path);
  const suite::DatasetChoice& now = suite::open_dataset(planned.spec.dataset, folder, vocabulary);
  if (now.files == planned.spec.data_files) return;
  throw base::usage_error("--resume: the data set's files in " + now.folder +
                          " have changed since the run started (SHA-256); start a new run");
}

// Checks that CPUs, weights and data are still there. Otherwise the launches would fail one by one.
void require_files(const schema::RunRecord& record, const std::vector<supervise::PlannedLaunch>& missing) {
  std::set<std::size_t> cases;
  for (const supervise::PlannedLaunch& one : missing) cases.insert(one.case_index);
  for (const std::size_t index : cases) {
    const schema::PlannedCase& planned = record.run.planned[index];
    const std::string reason = planned.spec.affinity ? suite::why_unusable(*planned.spec.affinity, usable_cpus()) : "";
    if (!reason.empty()) throw base::usage_error("--resume: " + planned.id + ": " + reason);
    if (planned.data_path) require_data(planned);
    if (!planned.weights_path) continue;
    const std::string path = report::expand_home(*planned.weights_path);
    const schema::NetworkPlan plan = model::case_network_plan(record.run, planned.definition_sha256, planned.spec);
    if (!schema::runs_model_file(plan)) {
      (void)schema::match_weights(base::read_safetensors_header(path), plan, path);
    } else if (record.run.definitions.at(planned.definition_sha256).value("source", "") !=
               suite::model_file_source(path)) {
      throw base::usage_error("--resume: " + path + " has changed since the run started; start a new run");
    }
  }
}

// Returns text for a message if the run's purpose is not plain measuring.
std::string purpose_words(const schema::RunInfo& run) {
  const schema::PurposeRow& purpose = row_of(run.purpose.value_or(schema::Purpose::plain));
  if (purpose.value == schema::Purpose::plain) return "";
  return "; purpose: " + std::string(purpose.name) + " (the run " + std::string(purpose.help) + ")";
}

// Fewer processes cannot run all cases, and those on other machines are not the same.
void require_same_launcher(const std::optional<schema::LauncherInfo>& then, const supervise::LeadingFront* lead,
                           const fs::path& file) {
  std::optional<schema::LauncherInfo> now;
  if (lead != nullptr) now = lead->launcher();
  if (now == then) return;
  const auto words = [](const std::optional<schema::LauncherInfo>& launcher) {
    return launcher ? "under " + words_of(*launcher) : "without a launcher";
  };
  refuse(file,
         "was started " + words(then) + ", but now runs " + words(now) + "; start it as before, or start a new run");
}

}  // namespace

void refuse_beside_resume(const std::vector<std::string>& suites, const suite::Settings& settings) {
  if (!suites.empty()) throw base::usage_error("--resume takes its suite from the file; do not name another");
  for (const suite::Option& option : suite::options()) {
    if (!option.traits.is_beside_resume && option.in(settings).has())
      throw base::usage_error("--" + option.name + ": cannot be used with --resume, which keeps the run's own options");
  }
}

UnfinishedRun load_unfinished(const fs::path& named) {
  std::error_code error;
  const fs::path file = fs::exists(named, error) ? base::behind_links(named) : named;
  UnfinishedRun run;
  run.file = file;
  run.is_journal = supervise::Journal::is_journal(file);
  if (run.is_journal) supervise::Journal::require_free(file);
  run.report = file;
  if (run.is_journal) run.report.replace_extension(".json");
  run.record = load(file);
  if (!is_resumable(run.record.run))
    throw base::usage_error("--resume: the run of " + file.string() +
                            " took turns with another worker and cannot be resumed; start a new run");
  require_same_machine(run.record.host, file);
  require_same_build(run.record.tool, file);
  require_same_environment(run.record.host, file);
  require_sound_plan(run.record, file);
  run.task = resumed_task(run.record, file);
  supervise::drop_unfinished(run.record);
  run.record.run.status = schema::RunStatus::partial;
  const std::vector<supervise::PlannedLaunch> missing = supervise::missing_launches(run.record);
  run.missing = missing.size();
  require_files(run.record, missing);
  return run;
}

base::ExitCode resume_run(UnfinishedRun& run, bool reports_losses, const RunSink& show,
                          std::optional<double> time_limit_seconds, supervise::LeadingFront* lead) {
  require_same_launcher(run.record.run.launcher, lead, run.file);
  const std::optional<TimeEnd> end = time_end(time_limit_seconds);
  const fs::path& report = run.report;
  base::require_writable_place(report);
  const fs::path worker = run.missing > 0 ? base::worker_program() : fs::path();
  supervise::Journal journal = run.is_journal ? supervise::Journal::replace(run.file, run.record)
                                              : supervise::Journal::create(journal_path(report), run.record, report);
  base::log::info(run.file.string() + ": " + base::counted(run.missing, "launch", "launches") + " to run" +
                  purpose_words(run.record.run));
  std::vector<supervise::JournaledRun> runs;
  runs.push_back({{&run.record, worker, lead}, std::move(journal), report});
  Session session(std::move(runs), show, reports_losses, end);
  return run.task->run(session);
}

}  // namespace mpsbench::run
