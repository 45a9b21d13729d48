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

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace mpsbench::cli {
namespace {

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

// Adds a launch to every case that has fewer than PLAN wants, and so on while the budget lasts. Gives the
// seconds that all take.
double add_launches(schema::RunRecord& record, const report::LaunchPlan& plan, double budget_seconds) {
  double spent = 0;
  while (true) {
    std::vector<schema::PlannedCase*> lacking;
    double block = 0;
    for (schema::PlannedCase& planned : record.run.plan) {
      const auto wanted = plan.find(planned.id);
      if (wanted == plan.end() || planned.repeats >= wanted->second) continue;
      lacking.push_back(&planned);
      block += launch_seconds(record, planned);
    }
    if (lacking.empty() || spent + block > budget_seconds) return spent;
    for (schema::PlannedCase* planned : lacking) ++planned->repeats;
    spent += block;
  }
}

}  // namespace

std::string gate_repeats() {
  return std::to_string(report::kFirstLaunches);
}

bool wants_gate(const suite::Settings& settings) {
  if (settings.has("baseline") && settings.has("versus"))
    throw settings.error("versus", "measures the other side itself; leave out --baseline");
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
}

double Gate::budget_seconds() const {
  return settings_.seconds("budget").value_or(kBudgetSeconds);
}

report::Comparison Gate::compare_with(const ComparedReport& before, const ComparedReport& after) const {
  return report::compare(before, after, rules_, calibration_.spread_of(after.host));
}

std::vector<std::string> Gate::notes(const ComparedReport& before, const ComparedReport& after) const {
  return notes_of(report::comparability(before, after), settings_.flag("force"));
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
  (void)notes(*baseline_, planned);  // what is known to be unlike is told before anything runs
}

bool Gate::extend(const std::vector<schema::RunRecord*>& records) {
  if (std::exchange(has_extended_, true)) return false;
  const ComparedReport after = report::compared_of(report::assemble(*records.front()), "this run");
  const ComparedReport before =
      baseline_ ? *baseline_
                : report::compared_of(report::assemble(*records.back()), settings_.text("versus").value());
  const report::LaunchPlan plan = report::launch_plan(compare_with(before, after), baseline_.has_value());
  if (plan.empty()) return false;
  const auto sides = static_cast<double>(records.size());
  const double seconds = add_launches(*records.front(), plan, budget_seconds() / sides) * sides;
  if (seconds == 0) return false;
  for (schema::RunRecord* other : records) other->run.plan = records.front()->run.plan;
  base::log::info(counted(plan.size(), "case needs", "cases need") +
                  " more launches for a verdict: another " + base::format_duration(seconds));
  return true;
}

ExitCode Gate::conclude(const std::vector<schema::Report>& reports) {
  const ComparedReport after = report::compared_of(reports.front(), "this run");
  const ComparedReport before =
      baseline_ ? *baseline_ : report::compared_of(reports.back(), settings_.text("versus").value());
  const std::vector<std::string> remarks = notes(before, after);
  const report::Comparison comparison = compare_with(before, after);
  const std::string format = output_format(settings_);
  const bool on_stdout = format == "table" || format == "md";
  const int descriptor = on_stdout ? STDOUT_FILENO : STDERR_FILENO;
  std::FILE* stream = on_stdout ? stdout : stderr;
  std::fputs("\n", stream);
  print_comparison(comparison, remarks, on_stdout ? format : "table", use_colour(settings_, descriptor),
                   stream);
  return gate_outcome(comparison,
                      {settings_.flag("fail-on-regression"), settings_.flag("fail-on-undecided")});
}

}  // namespace mpsbench::cli
