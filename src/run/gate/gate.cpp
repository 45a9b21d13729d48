#include "run/gate/gate.hpp"

#include "base/hex.hpp"
#include "base/log.hpp"
#include "base/mapped_file.hpp"
#include "base/units.hpp"
#include "output/console/machines_table.hpp"
#include "output/text/text.hpp"
#include "report/compare/case_pairs.hpp"
#include "report/host/privacy.hpp"
#include "report/metrics/assemble.hpp"
#include "run/plan/places.hpp"
#include "run/plan/time_plan.hpp"
#include "supervise/launch_runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;
using base::ExitCode;
using report::ComparedReport;
using report::Verdict;
using supervise::RunEnd;

constexpr const char* kThisRun = "this run";

ComparedReport read_baseline(const std::string& file) {
  std::string remark;
  ComparedReport baseline = read_compared_file(file, remark);
  if (!remark.empty()) base::log::warn(remark);
  if (!baseline.is_published()) return baseline;
  throw base::Error(base::ErrorKind::not_comparable,
                    "--baseline: " + file +
                        " holds published figures, which have no launches to draw a verdict from; use "
                        "mpsbench compare to show them next to the report");
}

std::string sha256_of(const fs::path& file) {
  return base::sha256_hex(base::MappedFile(file).text());
}

// Returns the gate of RECORD, which was read from FILE.
schema::GateInfo recorded_gate(const schema::RunRecord& record, const fs::path& file) {
  if (record.run.gate && record.run.gate->baseline) return *record.run.gate;
  throw base::usage_error("--resume: " + file.string() +
                          ": $.run.purpose is baseline, but $.run.gate names no baseline");
}

ComparedReport reread_baseline(const schema::BaselineFile& baseline) {
  const std::string path = report::expand_home(baseline.path);
  const bool is_there = fs::is_regular_file(path);
  if (!is_there || sha256_of(path) != baseline.sha256)
    throw base::Error(base::ErrorKind::not_comparable,
                      "--resume: the run's baseline " + path +
                          (is_there ? " has changed since the run started (SHA-256)" : " no longer exists"));
  return read_baseline(path);
}

ComparedReport planned_run(const schema::RunRecord& record) {
  return report::compared_of(report::assemble(record), kThisRun);
}

std::vector<report::CasePair> full_pairs(const ComparedReport& baseline, const ComparedReport& now) {
  std::vector<report::CasePair> pairs = report::case_pairs(baseline, now);
  std::erase_if(pairs, [](const auto& pair) { return pair.before == nullptr || pair.after == nullptr; });
  return pairs;
}

// Removes the baseline's cases that the run does not have.
void keep_planned(ComparedReport& baseline, const ComparedReport& now) {
  std::set<std::string> planned;
  for (const report::CasePair& pair : full_pairs(baseline, now)) planned.insert(pair.before->id);
  std::erase_if(baseline.cases, [&](const report::ComparedCase& old) { return !planned.contains(old.id); });
}

// Makes launches as long as the baseline's. Otherwise results could differ only because launches are shorter or longer.
void take_launch_times(const std::vector<report::CasePair>& pairs, schema::RunRecord& record) {
  for (const report::CasePair& pair : pairs) {
    const auto planned = std::ranges::find(record.run.planned, pair.after->id, &schema::PlannedCase::id);
    if (planned == record.run.planned.end()) continue;
    planned->measure.max_time_seconds = pair.before->max_launch_seconds.value_or(planned->measure.max_time_seconds);
  }
}

}  // namespace

std::vector<std::string> notes_of(report::Comparability found, bool force) {
  if (!found.obstacles.empty() && !force)
    throw base::Error(base::ErrorKind::not_comparable,
                      "the reports cannot be compared: " + found.obstacles.front() + "; --force compares them anyway");
  found.obstacles.insert(found.obstacles.end(), found.caveats.begin(), found.caveats.end());
  return std::move(found.obstacles);
}

ExitCode comparison_outcome(const report::Comparison& comparison, const FailOn& fail_on) {
  const std::int64_t left_out = comparison.count(Verdict::not_compared);
  if (left_out == static_cast<std::int64_t>(comparison.cases.size())) return ExitCode::not_comparable;
  const bool regression = fail_on.regression && comparison.count(Verdict::slower) > 0;
  const bool open = fail_on.undecided && comparison.count(Verdict::undecided) + left_out > 0;
  return regression || open ? ExitCode::regression : ExitCode::ok;
}

// Pairs of launches that follow each other share the machine's load, so turns judge where two runs cannot.
void advise_turns(const report::Comparison& comparison) {
  const auto open = std::ranges::count_if(comparison.cases, [](const report::CaseComparison& one) {
    return one.verdict == Verdict::undecided && !one.is_machine_noise;
  });
  const std::vector<std::string>& argv = comparison.after->argv;
  const bool is_of_run = argv.size() > 1 && argv[1] == "run";  // and not of merge, or of another program
  if (open == 0 || !is_of_run) return;
  base::log::warn(base::counted(open, "comparison is", "comparisons are") +
                  " undecided; on a busy machine, turns with the old build (OLD) need far fewer launches than two "
                  "runs: " +
                  versus_command(argv));
}

std::string versus_command(const std::vector<std::string>& argv) {
  constexpr const char* kLeftOut[] = {"--baseline", "--versus", "--export-json", "--repeats", "-r"};
  std::string command = "mpsbench";
  for (std::size_t at = 1; at < argv.size(); ++at) {
    const std::string name = argv[at].substr(0, argv[at].find('='));
    const bool is_short = name.starts_with("-r") && name.size() > 2;  // -r5
    if (std::ranges::find(kLeftOut, name) == std::end(kLeftOut) && !is_short) {
      command += " " + output::quoted_for_shell(report::expand_home(argv[at]));
    } else if (name == argv[at] && !is_short) {
      ++at;  // its value
    }
  }
  return command + " --versus OLD/mpsbench-worker";
}

Gate::Gate(const Options& options)
    : info_(options.gate),
      worker_(options.versus),
      has_own_max_time_(options.has_own_max_time),
      spreads_(report::cache_folder()) {
  if (options.baseline.empty()) return;
  baseline_ = read_baseline(options.baseline);
  const std::string path = fs::absolute(options.baseline).lexically_normal().string();
  info_.baseline = schema::BaselineFile{report::hide_home(path), sha256_of(options.baseline)};
}

Gate::Gate(const schema::RunRecord& record, const fs::path& file)
    : info_(recorded_gate(record, file)),
      baseline_(reread_baseline(info_.baseline.value())),
      spreads_(report::cache_folder()) {
  keep_planned(*baseline_, planned_run(record));
}

void Gate::prepare(schema::RunRecord& record) {
  record.run.gate = info_;
  if (!baseline_) return;
  const ComparedReport planned = planned_run(record);
  const std::vector<report::CasePair> pairs = full_pairs(*baseline_, planned);
  if (pairs.empty())
    throw base::Error(base::ErrorKind::not_comparable,
                      "--baseline: " + baseline_->file + " has none of this run's cases. " +
                          output::nearest_words(*baseline_, planned) + " --export-json " + baseline_->file);
  if (!info_.force && !report::same_machine(*baseline_, planned))
    throw base::Error(base::ErrorKind::not_comparable,
                      "--baseline: " + baseline_->file + " (" + baseline_->host.name +
                          ") is not from this machine and device (" + planned.host.name +
                          "); if it is, give its name with --host-name, or use --force to compare anyway");
  (void)notes_of(report::comparability(*baseline_, planned),
                 info_.force);  // throws for known differences before anything runs
  take_launch_times(pairs, record);
  keep_planned(*baseline_, planned);
  if (has_own_max_time_) base::log::warn("--max-time is ignored: launches last as long as the baseline's");
}

ComparedReport Gate::before(const schema::Report& other) const {
  return baseline_ ? *baseline_ : report::compared_of(other, worker_);
}

report::Comparison Gate::compare(const ComparedReport& before, const ComparedReport& after) const {
  report::CompareRules rules;  // the thresholds of the cases are in the plan
  rules.alpha = info_.budget_seconds > 0 ? info_.alpha / report::kLooks : info_.alpha;
  rules.takes_turns = !baseline_;
  // If runs take turns, what differs between separate runs affects both alike, so they need no spread.
  return report::compare(before, after, rules, baseline_ ? spreads_.spread_of(after.host) : report::SpreadOf());
}

bool Gate::extend(const std::vector<schema::RunRecord*>& records) {
  if (std::exchange(info_.is_extended, true)) return false;
  for (schema::RunRecord* record : records) record->run.gate = info_;
  const ComparedReport after_side = report::compared_of(report::assemble(*records.front()), kThisRun);
  const ComparedReport before_side = before(report::assemble(*records.back()));
  report::RequiredLaunches plan = report::required_launches(compare(before_side, after_side), baseline_.has_value());
  if (plan.empty()) return false;
  const bool is_comparable = report::comparability(before_side, after_side).obstacles.empty();
  if (!is_comparable && !info_.force) return false;  // reported when the report is written
  for (const report::ComparedCase& one : after_side.cases) {
    if (const auto wanted = plan.find(one.id); wanted != plan.end()) wanted->second += one.launches_set_aside;
  }
  const auto sides = static_cast<double>(records.size());
  const AddedLaunches added = add_launches(*records.front(), plan, info_.budget_seconds / sides);
  if (added.is_cut_short)
    base::log::warn("--budget allows fewer launches than the verdicts need; raise it if cases stay undecided");
  if (added.cases.empty()) return false;
  for (schema::RunRecord* record : records) record->run.planned = records.front()->run.planned;
  base::log::info(base::counted(added.cases.size(), "case needs", "cases need") +
                  " more launches for a verdict; this takes about " + base::format_duration(added.seconds * sides) +
                  " more");
  return true;
}

ExitCode Gate::conclude(const std::vector<schema::Report>& reports, const Session& session) const {
  const ComparedReport after_side = report::compared_of(reports.front(), kThisRun);
  const ComparedReport before_side = before(reports.back());
  const std::vector<std::string> remarks = notes_of(report::comparability(before_side, after_side), info_.force);
  const report::Comparison comparison = compare(before_side, after_side);
  session.show(ComparisonMade{comparison, remarks});
  if (baseline_) advise_turns(comparison);
  const bool none = comparison.count(Verdict::not_compared) == std::ssize(comparison.cases);
  if (none) return ExitCode::incomplete;  // the work is the same, so the launches must have failed
  return comparison_outcome(comparison, {info_.fail_on_regression, info_.fail_on_undecided});
}

ExitCode Gate::run(Session& session) {
  RunEnd end = session.run_launches();
  if (end == RunEnd::complete && extend(session.records())) end = session.run_added_launches();
  const SessionOutcome outcome = session.finish();
  // After its time limit, a run that cannot be resumed is judged by the launches that there are. One that can
  // be is judged at its end, so that it is not judged more often than alpha allows.
  const bool is_judged = end == RunEnd::complete || (end == RunEnd::time_limit && !baseline_);
  return is_judged ? base::worse(outcome.code, conclude(outcome.reports, session)) : outcome.code;
}

std::optional<OtherWorker> find_other_worker(const Options& options) {
  if (options.purpose != schema::Purpose::versus) return std::nullopt;
  const fs::path worker = options.versus;
  if (!fs::is_regular_file(worker) || ::access(worker.c_str(), X_OK) != 0)
    throw base::usage_error("--versus: " + worker.string() + " is not a program; give another build's mpsbench-worker");
  try {
    const double patience_seconds =
        std::min(options.timeout_seconds.value_or(supervise::kProbeSeconds), supervise::kProbeSeconds);
    return OtherWorker{fs::absolute(worker), supervise::probe(fs::absolute(worker), nullptr, patience_seconds).tool};
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    throw base::usage_error("--versus: " + worker.string() +
                            " is not an mpsbench-worker of this version: " + error.what());
  }
}

schema::RunRecord second_run(const schema::RunRecord& record, const std::optional<schema::ToolInfo>& tool) {
  schema::RunRecord second = record;
  second.tool.git_commit.reset();
  second.tool.has_uncommitted_changes.reset();
  if (tool) second.tool = *tool;
  second.run.id = base::random_hex(record.run.id.size());
  second.host.libtorch.reset();
  return second;
}

}  // namespace mpsbench::run
