#include "cli/gate.hpp"

#include "base/log.hpp"
#include "base/units.hpp"
#include "cli/comparison_view.hpp"
#include "cli/counted.hpp"
#include "cli/report_file.hpp"
#include "cli/run_outcome.hpp"
#include "cli/terminal.hpp"
#include "report/assemble.hpp"
#include "report/compared_of.hpp"
#include "report/launch_plan.hpp"
#include "suite/option.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

namespace mpsbench::cli {
namespace {

namespace fs = std::filesystem;
using base::ExitCode;
using report::ComparedReport;

constexpr double kBudgetSeconds = 600;

ComparedReport read_baseline(const std::string& file) {
  refuse_journal(file);
  ComparedReport baseline = report::read_compared_report(file);
  if (!baseline.is_published()) return baseline;
  throw base::Error(base::ErrorKind::not_comparable,
                    "--baseline: " + file +
                        " holds published figures, which have no launches to draw a verdict from; set them "
                        "beside the report by mpsbench compare");
}

void require_common_case(const ComparedReport& baseline, const ComparedReport& now) {
  for (const report::ComparedCase& result : now.cases) {
    if (std::any_of(baseline.cases.begin(), baseline.cases.end(),
                    [&](const report::ComparedCase& old) { return old.id == result.id; }))
      return;
  }
  throw base::Error(base::ErrorKind::not_comparable,
                    "--baseline: " + baseline.file + " has none of this run's cases, such as " +
                        now.cases.front().id + "; measure the baseline with the same options");
}

// Seconds of one further launch of PLANNED, by those it has.
double launch_seconds(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const std::vector<schema::Launch>& launches = record.launches.at(planned.id);
  double seconds = 0;
  for (const schema::Launch& launch : launches) seconds += launch.wall_seconds;
  return planned.cooldown_seconds + seconds / static_cast<double>(launches.size());
}

struct Added {
  std::set<std::string> cases;
  double seconds = 0;
  bool is_cut_short = false;  // by the budget
};

// Adds a launch to every case that has fewer than PLAN wants, again and again while the budget lasts.
Added add_launches(schema::RunRecord& record, const report::LaunchPlan& plan, double budget_seconds) {
  Added added;
  for (bool more = true; more;) {
    more = false;
    for (schema::PlannedCase& planned : record.run.plan) {
      const auto wanted = plan.find(planned.id);
      if (wanted == plan.end() || planned.repeats >= wanted->second) continue;
      const double seconds = launch_seconds(record, planned);
      if (added.seconds + seconds > budget_seconds) {
        added.is_cut_short = true;
        continue;
      }
      ++planned.repeats;
      added.seconds += seconds;
      added.cases.insert(planned.id);
      more = true;
    }
  }
  return added;
}

// Takes out what RECORD does not run.
void keep_planned(ComparedReport& baseline, const schema::RunRecord& record) {
  std::set<std::string> planned;
  for (const schema::PlannedCase& one : record.run.plan) planned.insert(one.id);
  std::erase_if(baseline.cases, [&](const report::ComparedCase& old) { return !planned.contains(old.id); });
}

// Launches as long as the baseline's: shorter ones, or longer, may differ for that alone.
void take_launch_times(const ComparedReport& baseline, schema::RunRecord& record) {
  for (schema::PlannedCase& planned : record.run.plan) {
    const auto old = std::find_if(baseline.cases.begin(), baseline.cases.end(),
                                  [&](const report::ComparedCase& one) { return one.id == planned.id; });
    if (old == baseline.cases.end()) continue;
    planned.measure.max_time_seconds = old->max_launch_seconds.value_or(planned.measure.max_time_seconds);
  }
}

}  // namespace

bool wants_gate(const suite::Settings& settings) {
  if (settings.has("baseline") && settings.has("versus"))
    throw settings.error("versus", "measures the other side itself; leave out --baseline");
  if (settings.has("baseline") && settings.has("export-json") &&
      fs::weakly_canonical(settings.text("baseline").value()) ==
          fs::weakly_canonical(settings.text("export-json").value()))
    throw settings.error("export-json", "would overwrite the --baseline; choose another place");
  if (settings.has("baseline") || settings.has("versus")) return true;
  for (const char* name : {"fail-on-regression", "fail-on-undecided", "alpha", "budget", "force"}) {
    if (settings.has(name) && settings.origin(name).starts_with("--"))
      throw settings.error(name, "needs something to compare with; add --baseline FILE or --versus WORKER");
  }
  return false;
}

Gate::Gate(const suite::Settings& settings) : settings_(settings), calibration_(report::cache_folder()) {
  if (const auto file = settings.text("baseline")) baseline_ = read_baseline(*file);
  // The cases' own thresholds are in the plan.
  rules_.alpha = settings.ratio("alpha").value_or(rules_.alpha);
  if (budget_seconds() > 0) rules_.alpha /= report::kLooks;
  rules_.takes_turns = !baseline_;
}

double Gate::budget_seconds() const {
  return settings_.seconds("budget").value_or(kBudgetSeconds);
}

ComparedReport Gate::before_of(const schema::Report& other) const {
  return baseline_ ? *baseline_ : report::compared_of(other, settings_.text("versus").value());
}

report::Comparison Gate::compare_with(const ComparedReport& before, const ComparedReport& after) const {
  // Runs that take turns share whatever lies between two runs.
  return report::compare(before, after, rules_,
                         baseline_ ? calibration_.spread_of(after.host) : report::SpreadOf());
}

std::vector<std::string> Gate::notes(const ComparedReport& before, const ComparedReport& after) const {
  return notes_of(report::comparability(before, after), settings_.flag("force"));
}

void Gate::adjust(suite::Settings& matrix) {
  const bool is_told = matrix.has("repeats") && matrix.origin("repeats").starts_with("--");
  if (is_told || matrix.count("repeats").value_or(0) >= report::kFirstLaunches) return;
  matrix.set(*suite::find_option("repeats"), std::to_string(report::kFirstLaunches), "--repeats");
}

void Gate::prepare(schema::RunRecord& record) {
  if (!baseline_) return;
  const ComparedReport planned = report::compared_of(report::assemble(record), "this run");
  require_common_case(*baseline_, planned);
  if (!settings_.flag("force") && !report::same_machine(*baseline_, planned))
    throw base::Error(base::ErrorKind::not_comparable,
                      "--baseline: " + baseline_->file + " (" + baseline_->host.name +
                          ") is not of this machine and device (" + planned.host.name +
                          "); give its name by --host-name if it is, or --force to judge all the same");
  (void)notes(*baseline_, planned);  // throws for what is known to be unlike before anything runs
  keep_planned(*baseline_, record);
  take_launch_times(*baseline_, record);
  if (settings_.has("max-time") && settings_.origin("max-time").starts_with("--"))
    base::log::warn("--max-time is not used: launches last as long as the baseline's");
}

bool Gate::extend(const std::vector<schema::RunRecord*>& records) {
  if (std::exchange(has_extended_, true)) return false;
  const ComparedReport after = report::compared_of(report::assemble(*records.front()), "this run");
  const ComparedReport before = before_of(report::assemble(*records.back()));
  const report::LaunchPlan plan = report::launch_plan(compare_with(before, after), baseline_.has_value());
  if (plan.empty()) return false;
  const bool is_comparable = report::comparability(before, after).obstacles.empty();
  if (!is_comparable && !settings_.flag("force")) return false;  // said when the report is written
  const auto sides = static_cast<double>(records.size());
  const Added added = add_launches(*records.front(), plan, budget_seconds() / sides);
  if (added.is_cut_short)
    base::log::warn(
        "--budget allows fewer launches than the verdicts need; raise it if cases stay undecided");
  if (added.cases.empty()) return false;
  for (schema::RunRecord* other : records) other->run.plan = records.front()->run.plan;
  base::log::info(counted(added.cases.size(), "case needs", "cases need") +
                  " more launches for a verdict: another " + base::format_duration(added.seconds * sides));
  return true;
}

ExitCode Gate::conclude(const std::vector<schema::Report>& reports) {
  const ComparedReport after = report::compared_of(reports.front(), "this run");
  const ComparedReport before = before_of(reports.back());
  const std::vector<std::string> remarks = notes(before, after);
  const report::Comparison comparison = compare_with(before, after);
  const std::string format = output_format(settings_);
  const bool on_stdout = format == "table" || format == "md";
  const int descriptor = on_stdout ? STDOUT_FILENO : STDERR_FILENO;
  std::FILE* stream = on_stdout ? stdout : stderr;
  std::fputs("\n", stream);
  print_comparison(comparison, remarks, on_stdout ? format : "table", use_colour(settings_, descriptor),
                   stream);
  const bool none = comparison.count(report::Verdict::not_compared) == std::ssize(comparison.cases);
  if (none) return ExitCode::incomplete;  // the work is alike: its launches did not end well
  return gate_outcome(comparison,
                      {settings_.flag("fail-on-regression"), settings_.flag("fail-on-undecided")});
}

}  // namespace mpsbench::cli
