#include "cli/resume.hpp"

#include "base/atomic_file.hpp"
#include "base/json_file.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "base/safetensors.hpp"
#include "cli/countable.hpp"
#include "cli/counted.hpp"
#include "cli/run_plan_text.hpp"
#include "cli/run_session.hpp"
#include "model/case_plan.hpp"
#include "report/host_capture.hpp"
#include "report/privacy.hpp"
#include "schema/report.hpp"
#include "schema/tool_info.hpp"
#include "schema/weights_check.hpp"
#include "suite/dataset_choice.hpp"
#include "suite/option.hpp"
#include "suite/script_model.hpp"
#include "supervise/journal.hpp"
#include "supervise/run_order.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mpsbench::cli {
namespace {

namespace fs = std::filesystem;

schema::RunRecord record_of(const schema::Report& report, const fs::path& file) {
  schema::RunRecord record{report.tool, report.run, report.host, {}};
  for (const schema::CaseResult& result : report.cases) {
    if (result.published)
      throw base::usage_error("--resume: " + file.string() +
                              " holds published figures, not a run of mpsbench; run a suite instead");
    record.launches[result.id] = result.launches;
  }
  return record;
}

schema::RunRecord load(const fs::path& file) {
  if (supervise::Journal::is_journal(file)) return supervise::Journal::load(file);
  const nlohmann::json document = base::read_large_json_file(file);
  return record_of(schema::read_report(base::Reader(document, file.string())), file);
}

// Launches of two machines in one case would be a figure of neither.
void require_same_machine(const schema::HostInfo& then, const fs::path& file) {
  const schema::HostInfo now = report::read_machine("/");
  if (now.cpu.model == then.cpu.model && now.cpu.logical_cores == then.cpu.logical_cores) return;
  throw base::usage_error("--resume: " + file.string() + " was begun on another machine (" + then.cpu.model +
                          "); go on there");
}

std::string build_words(const schema::ToolInfo& tool) {
  return tool.name + " " + tool.version + (tool.git_commit ? " of commit " + *tool.git_commit : "");
}

void require_same_build(const schema::ToolInfo& then, const fs::path& file) {
  const schema::ToolInfo now = schema::tool_info();
  if (now.version == then.version && now.git_commit == then.git_commit) return;
  throw base::usage_error("--resume: " + file.string() + " was begun by " + build_words(then) + ", this is " +
                          build_words(now) + "; start anew");
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
    throw base::usage_error("--resume: " + file.string() + " was begun with " + before + ", now it is " +
                            after + "; set it as it was, or start anew");
  }
}

// What the file holds can be planned, so that nothing is begun and then given up.
void require_sound_plan(const schema::RunRecord& record, const fs::path& file) {
  try {
    require_countable(record);
    for (const schema::PlannedCase& planned : record.run.plan)
      (void)model::case_plan(record.run, planned.definition_sha256, planned.spec);
  } catch (const base::Error& error) {
    throw base::usage_error(file.string() + ": " + error.what());
  }
}

void require_data(const schema::PlannedCase& planned) {
  suite::Settings settings;
  const auto set = [&](const char* option, const std::string& text) {
    settings.set(*suite::find_option(option), text, "--resume");
  };
  set("dataset", to_string(planned.spec.dataset));
  set("data-dir", report::expand_home(planned.data_path.value()));
  if (planned.vocabulary_path) set("vocab", report::expand_home(*planned.vocabulary_path));
  const suite::DatasetChoice& now = suite::choose_dataset(settings);
  if (now.files == planned.spec.data_files) return;
  throw base::usage_error("--resume: the data set's files in " + now.folder +
                          " have changed since the run was begun (SHA-256); start anew");
}

// Weights and data may have moved since; launches would fail one by one.
void require_files(const schema::RunRecord& record, const std::vector<supervise::PlannedLaunch>& missing) {
  std::set<std::size_t> cases;
  for (const supervise::PlannedLaunch& one : missing) cases.insert(one.case_index);
  for (const std::size_t index : cases) {
    const schema::PlannedCase& planned = record.run.plan[index];
    if (planned.data_path) require_data(planned);
    if (!planned.weights_path) continue;
    const std::string path = report::expand_home(*planned.weights_path);
    const schema::Plan plan = model::case_plan(record.run, planned.definition_sha256, planned.spec);
    if (!schema::runs_script(plan)) {
      schema::require_fitting_weights(base::read_safetensors_header(path), plan, path);
    } else if (record.run.definitions.at(planned.definition_sha256).value("source", "") !=
               suite::script_source(path)) {
      throw base::usage_error("--resume: " + path + " has changed since the run was begun; start anew");
    }
  }
}

bool was_given(const schema::RunInfo& run, const std::string& option) {
  return std::any_of(run.argv.begin(), run.argv.end(), [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  });
}

// What came after the launches is not in the file.
void require_run_alone(const schema::RunInfo& run, const fs::path& file) {
  if (was_given(run, "--versus"))
    throw base::usage_error("--resume: " + file.string() + " took turns with another worker; start anew");
  if (run.argv.size() > 1 && run.argv[1] == "calibrate")
    throw base::usage_error("--resume: " + file.string() + " is of a calibration; start anew");
  if (was_given(run, "--baseline"))
    base::log::warn(
        "--resume does not compare with the --baseline; do it afterwards: mpsbench compare BASELINE " +
        file.string());
}

// The file says what is measured and how; only what is shown may be asked for anew.
void refuse_other_options(const suite::Settings& settings) {
  const std::set<std::string> allowed{"resume",  "output",   "quiet",       "verbose",
                                      "dry-run", "log-file", "no-progress", "color"};
  for (const std::string& name : suite::option_names()) {
    if (settings.has(name) && !allowed.contains(name))
      throw base::usage_error("--" + name + ": not beside --resume, which goes on as the run was begun");
  }
}

}  // namespace

base::ExitCode resume_run(const suite::Settings& settings) {
  refuse_other_options(settings);
  const fs::path file = settings.text("resume").value();
  const bool from_journal = supervise::Journal::is_journal(file);
  schema::RunRecord record = load(file);
  require_run_alone(record.run, file);
  require_same_machine(record.host, file);
  require_same_build(record.tool, file);
  require_same_environment(record.host, file);
  require_sound_plan(record, file);
  supervise::drop_unfinished(record);
  record.run.status = "partial";
  const std::vector<supervise::PlannedLaunch> launches = supervise::missing_launches(record);
  const std::size_t missing = launches.size();
  require_files(record, launches);
  if (settings.flag("dry-run")) {
    std::fputs(plan_text(record).c_str(), stdout);
    return base::ExitCode::ok;
  }
  fs::path report = file;
  if (from_journal) report.replace_extension(".json");
  base::require_writable_place(report);
  const fs::path worker = missing > 0 ? base::worker_program() : fs::path();
  supervise::Journal journal = from_journal ? supervise::Journal::replace(file, record)
                                            : supervise::Journal::create(journal_path(report), record);
  base::log::info(file.string() + ": " + counted(missing, "launch", "launches") + " to run");
  std::vector<RunSide> sides;
  sides.push_back({&record, std::move(journal), report, worker});
  Sequel none;
  return run_session(sides, settings, none);
}

}  // namespace mpsbench::cli
