#include "run/gate/gate.hpp"

#include "base/log.hpp"
#include "base/units.hpp"
#include "output/text/text.hpp"
#include "report/compare/comparability.hpp"
#include "report/compare/compared_report.hpp"
#include "report/compare/required_launches.hpp"
#include "report/host/privacy.hpp"
#include "report/metrics/assemble.hpp"
#include "run/plan/more_launches.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace mpsbench::run {

namespace {

using base::ExitCode;
using report::ComparedReport;
using supervise::RunEnd;

constexpr const char* kThisRun = "this run";

// Pairs of launches that follow each other share the machine's load, so turns judge where a baseline cannot.
void advise_turns(const report::Comparison& comparison, const std::vector<std::string>& argv) {
  const auto open = std::ranges::count_if(comparison.cases, [](const report::CaseComparison& one) {
    return one.verdict == report::Verdict::undecided && !one.is_machine_noise;
  });
  if (open == 0) return;
  base::log::warn(base::counted(open, "comparison is", "comparisons are") +
                  " undecided; on a busy machine, turns with the old build (OLD) need far fewer launches than a "
                  "baseline: " +
                  versus_command(argv));
}

}  // namespace

using report::Verdict;

std::vector<std::string> notes_of(report::Comparability found, bool force) {
  if (!found.obstacles.empty() && !force)
    throw base::Error(base::ErrorKind::not_comparable,
                      "the reports cannot be compared: " + found.obstacles.front() + "; --force compares them anyway");
  found.obstacles.insert(found.obstacles.end(), found.caveats.begin(), found.caveats.end());
  return std::move(found.obstacles);
}

base::ExitCode comparison_outcome(const report::Comparison& comparison, const FailOn& fail_on) {
  const std::int64_t left_out = comparison.count(Verdict::not_compared);
  if (left_out == static_cast<std::int64_t>(comparison.cases.size())) return base::ExitCode::not_comparable;
  const bool regression = fail_on.regression && comparison.count(Verdict::slower) > 0;
  const bool open = fail_on.undecided && comparison.count(Verdict::undecided) + left_out > 0;
  return regression || open ? base::ExitCode::regression : base::ExitCode::ok;
}

std::string versus_command(const std::vector<std::string>& argv) {
  constexpr const char* kLeftOut[] = {"--baseline", "--export-json", "--repeats", "-r"};
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

Gate::Gate(schema::GateInfo info) : info_(std::move(info)), spreads_(report::cache_folder()) {}

report::Comparison Gate::compare(const ComparedReport& before, const ComparedReport& after) const {
  report::CompareRules rules;  // the thresholds of the cases are in the plan
  rules.alpha = info_.budget_seconds > 0 ? info_.alpha / report::kLooks : info_.alpha;
  rules.takes_turns = !is_against_fixed();
  // If runs take turns, what differs between separate runs affects both alike, so they need no spread.
  return report::compare(before, after, rules,
                         is_against_fixed() ? spreads_.spread_of(after.host) : report::SpreadOf());
}

std::vector<std::string> Gate::notes(const ComparedReport& before, const ComparedReport& after) const {
  return notes_of(report::comparability(before, after), info_.force);
}

bool Gate::extend(const std::vector<schema::RunRecord*>& records) {
  if (std::exchange(info_.is_extended, true)) return false;
  for (schema::RunRecord* record : records) record->run.gate = info_;
  const ComparedReport after_side = report::compared_of(report::assemble(*records.front()), kThisRun);
  const ComparedReport before_side = before(report::assemble(*records.back()));
  report::RequiredLaunches plan = report::required_launches(compare(before_side, after_side), is_against_fixed());
  if (plan.empty()) return false;
  const bool is_comparable = report::comparability(before_side, after_side).obstacles.empty();
  if (!is_comparable && !info_.force) return false;  // reported when the report is written
  for (const report::ComparedCase& one : after_side.cases) {
    if (const auto wanted = plan.find(one.id); wanted != plan.end()) wanted->second += one.launches_set_aside;
  }
  const auto sides = static_cast<double>(records.size());
  const AddedLaunches added = add_launches(*records.front(), plan, info_.budget_seconds / sides, Sharing::in_turns);
  if (added.is_cut_short)
    base::log::warn("--budget allows fewer launches than the verdicts need; raise it if cases stay undecided");
  if (added.cases.empty()) return false;
  for (schema::RunRecord* record : records) record->run.planned = records.front()->run.planned;
  base::log::info(base::counted(added.cases.size(), "case needs", "cases need") +
                  " more launches for a verdict; this takes about " + base::format_duration(added.seconds * sides) +
                  " more");
  return true;
}

ExitCode Gate::conclude(const std::vector<schema::Report>& reports, View& view) const {
  const ComparedReport after_side = report::compared_of(reports.front(), kThisRun);
  const ComparedReport before_side = before(reports.back());
  const std::vector<std::string> remarks = notes(before_side, after_side);
  const report::Comparison comparison = compare(before_side, after_side);
  view.on_comparison(comparison, remarks);
  if (is_against_fixed()) advise_turns(comparison, reports.front().run.argv);
  const bool none = comparison.count(report::Verdict::not_compared) == std::ssize(comparison.cases);
  if (none) return ExitCode::incomplete;  // the work is the same, so the launches must have failed
  return comparison_outcome(comparison, {info_.fail_on_regression, info_.fail_on_undecided});
}

ExitCode Gate::run(Session& session, View& view) {
  RunEnd end = session.run_launches(view);
  if (end == RunEnd::complete && extend(session.records())) end = session.run_added_launches(view);
  const SessionOutcome outcome = session.finish(view);
  // After its time limit, a run that cannot be resumed is judged by the launches that there are. One that can
  // be is judged at its end, so that it is not judged more often than alpha allows.
  const bool is_judged = end == RunEnd::complete || (end == RunEnd::time_limit && !is_against_fixed());
  return is_judged ? base::worse(outcome.code, conclude(outcome.reports, view)) : outcome.code;
}

}  // namespace mpsbench::run
