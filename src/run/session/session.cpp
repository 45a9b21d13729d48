#include "run/session/session.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/units.hpp"
#include "report/metrics/assemble.hpp"
#include "run/plan/launch_request.hpp"
#include "run/plan/more_launches.hpp"
#include "run/session/ceilings.hpp"
#include "run/session/outcome.hpp"
#include "schema/launch.hpp"
#include "supervise/run_order.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace mpsbench::run {

namespace {

using supervise::JournaledRun;
using supervise::RunEnd;

// Whether a launch that computes the same as PLANNED was compared with REFERENCE and agreed, or one of
// PLANNED itself could not be compared.
bool is_compared(const schema::RunRecord& record, const schema::PlannedCase& planned, schema::Reference reference) {
  const auto agrees_for_all = [&](const schema::PlannedCase& other) {
    if (!supervise::computes_alike(other, planned, reference, schema::Compared::weights)) return false;
    const auto agrees = [&](const schema::Launch& launch) {
      return launch.status == schema::Status::ok &&
             (supervise::was_compared(launch, reference) ||
              (other.id == planned.id && launch.sensor_notes.contains(schema::kAgreementNote)));
    };
    const auto launches = record.launches.find(other.id);
    return launches != record.launches.end() && std::any_of(launches->second.begin(), launches->second.end(), agrees);
  };
  return std::any_of(record.run.planned.begin(), record.run.planned.end(), agrees_for_all);
}

void warn_of_journal(const base::Error& error) {
  base::log::warn(std::string(error.what()) + "; the run stops here, but no finished launch is lost yet");
}

}  // namespace

std::optional<TimeEnd> time_end(std::optional<double> limit_seconds) {
  if (!limit_seconds) return std::nullopt;
  return TimeEnd{*limit_seconds, base::steady_seconds() + *limit_seconds};
}

Session::Session(std::vector<supervise::JournaledRun> runs, bool reports_losses, std::optional<TimeEnd> end)
    : runs_(std::move(runs)), reports_losses_(reports_losses), time_end_(end) {
  interrupt_.emplace();
}

std::vector<schema::RunRecord*> Session::records() const {
  std::vector<schema::RunRecord*> records;
  for (const JournaledRun& one : runs_) records.push_back(one.run.record);
  return records;
}

// Asks for a comparison with the CPU in fp32, once per network, kind of step, precision and device, and of
// other engines with eager. What is the reference needs none.
schema::LaunchRequest Session::request_of(const schema::RunRecord& record, const schema::PlannedCase& planned) const {
  schema::LaunchRequest request = launch_request(record, planned);
  request.report_losses = reports_losses_;
  const bool is_judge = planned.spec.device.row().is_host && planned.spec.precision == schema::Precision::fp32;
  request.check_output = !is_judge && !is_compared(record, planned, schema::Reference::cpu);
  request.check_engine =
      planned.spec.engine != schema::Engine::eager && !is_compared(record, planned, schema::Reference::eager);
  return request;
}

void Session::make_packages(View& view) {
  for (JournaledRun& one : runs_) {
    std::map<std::size_t, std::vector<std::int64_t>> missing;  // launches by case
    for (const supervise::PlannedLaunch& launch : supervise::missing_launches(*one.run.record))
      missing[launch.case_index].push_back(launch.index);
    for (const auto& [case_index, indices] : missing) {
      if (time_end_ && seconds_left() <= 0) return;
      make_package(one, one.run.record->run.planned[case_index], indices, view);
    }
  }
}

// Adds the package that REQUEST needs. Returns the launch that fails instead if there can be none.
std::optional<schema::Launch> Session::add_package(schema::LaunchRequest& request, const schema::RunRecord& record,
                                                   const schema::PlannedCase& planned, View& view) {
  const auto run = std::ranges::find(runs_, &record, [](const JournaledRun& one) { return one.run.record; });
  return packages_.add_to(request, planned, {run->run.worker, record.host, interrupt_.value(), view});
}

void Session::make_package(JournaledRun& one, const schema::PlannedCase& planned,
                           const std::vector<std::int64_t>& missing, View& view) {
  schema::RunRecord& record = *one.run.record;
  schema::LaunchRequest request = request_of(record, planned);
  const std::optional<schema::Launch> failed = add_package(request, record, planned, view);
  if (!failed) return;
  std::int64_t order = supervise::next_order(record);
  for (const std::int64_t index : missing) {
    schema::Launch& launch = record.launches[planned.id].emplace_back(*failed);
    launch.index = index;
    launch.order = order++;
  }
  one.journal.rewrite(record);
}

RunEnd Session::launch(View& view, std::optional<double> goes_on_until) {
  try {
    make_packages(view);
  } catch (const base::Error& error) {
    const bool is_stopped = error.kind() == base::ErrorKind::interrupted;
    if (!is_stopped && error.kind() != base::ErrorKind::incomplete) throw;
    if (!is_stopped) warn_of_journal(error);
    end_ = is_stopped ? RunEnd::interrupted : RunEnd::journal_failed;
    return end_;
  }
  std::vector<const schema::RunRecord*> shown;
  for (const JournaledRun& one : runs_) shown.push_back(one.run.record);
  supervise::RunListener& listener = view.on_launches_begin(shown, goes_on_until);
  end_ = supervise::run_launches(
      runs_,
      [&](const schema::RunRecord& record, const schema::PlannedCase& planned) {
        schema::LaunchRequest request = request_of(record, planned);
        (void)add_package(request, record, planned,
                          view);  // make_packages() has made it, so it is only looked up
        return request;
      },
      listener, interrupt_.value(), ends_at());
  view.on_launches_end();
  return end_;
}

RunEnd Session::run_launches(View& view) {
  launch(view, std::nullopt);
  return repeat_disturbed(view);
}

RunEnd Session::run_first_launches(View& view) {
  return launch(view, ends_at());
}

RunEnd Session::launch_added(View& view) {
  try {
    for (JournaledRun& one : runs_) one.journal.rewrite(*one.run.record);
  } catch (const base::Error& error) {
    warn_of_journal(error);
    end_ = RunEnd::journal_failed;
    return end_;
  }
  return launch(view, std::nullopt);
}

RunEnd Session::run_added_launches(View& view) {
  launch_added(view);
  return repeat_disturbed(view);
}

RunEnd Session::run_spare_launches(View& view) {
  if (launch_added(view) == RunEnd::time_limit) take_missing_out_of_plans();
  return end_;
}

RunEnd Session::repeat_disturbed(View& view) {
  while (end_ == RunEnd::complete) {
    schema::RunRecord& record = *runs_.front().run.record;
    const std::vector<schema::PlannedCase> before = record.run.planned;
    const double sides = static_cast<double>(runs_.size());
    const double seconds = time_end_ ? seconds_left() / sides : std::numeric_limits<double>::infinity();
    const AddedLaunches added = add_launches(record, repeats_of_disturbed(record), seconds, Sharing::by_narrowing);
    if (added.cases.empty()) return end_;
    std::size_t more = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::int64_t repeats = record.run.planned[i].repeats - before[i].repeats;
      record.run.planned[i].repeated += repeats;
      more += static_cast<std::size_t>(repeats);
    }
    for (JournaledRun& one : runs_) one.run.record->run.planned = record.run.planned;
    base::log::info(base::counted(more, "disturbed launch is", "disturbed launches are") + " repeated, about " +
                    base::format_duration(added.seconds * sides));
    run_spare_launches(view);
  }
  return end_;
}

void Session::take_missing_out_of_plans() {
  for (const JournaledRun& one : runs_) {
    for (schema::PlannedCase& planned : one.run.record->run.planned) {
      const std::int64_t launches = std::ssize(one.run.record->launches.at(planned.id));
      planned.repeated = std::max<std::int64_t>(planned.repeated - (planned.repeats - launches), 0);
      planned.repeats = launches;
    }
  }
  end_ = RunEnd::complete;
}

void Session::settle_for_launches(std::int64_t least) {
  const auto has_enough = [&](const JournaledRun& one) {
    const schema::RunRecord& record = *one.run.record;
    return std::ranges::all_of(record.run.planned, [&](const schema::PlannedCase& planned) {
      const auto launches = record.launches.find(planned.id);
      return launches != record.launches.end() && std::ssize(launches->second) >= std::min(least, planned.repeats);
    });
  };
  if (end_ != RunEnd::time_limit || !std::ranges::all_of(runs_, has_enough)) return;
  base::log::info("the time limit of " + base::format_duration(time_end_.value().limit_seconds) +
                  " is over: some cases have fewer launches than planned");
  take_missing_out_of_plans();
}

double Session::seconds_left() const {
  return ends_at().value() - base::steady_seconds();
}

std::optional<double> Session::ends_at() const {
  return time_end_ ? std::optional(time_end_->ends_at) : std::nullopt;
}

// Warns if the time limit ended the run.
void Session::name_left_out() const {
  if (end_ != RunEnd::time_limit) return;
  std::size_t left_out = 0;
  for (const JournaledRun& one : runs_) left_out += supervise::missing_launches(*one.run.record).size();
  base::log::warn("the time limit of " + base::format_duration(time_end_.value().limit_seconds) + " is over; " +
                  base::counted(left_out, "launch was", "launches were") +
                  " left out: a longer --time-limit has time for more");
}

schema::Report Session::finished_report(schema::RunRecord& record) const {
  record.run.finished_at = base::utc_timestamp();
  if (end_ == RunEnd::interrupted) record.run.status = schema::RunStatus::interrupted;
  if (record.host.libtorch) recall_ceilings(record, record.host.libtorch->version);
  return report::assemble(record);
}

SessionOutcome Session::finish(View& view) {
  interrupt_.reset();
  name_left_out();
  const bool is_cut_short = end_ == RunEnd::interrupted || end_ == RunEnd::time_limit;
  SessionOutcome outcome;
  for (JournaledRun& one : runs_) {
    const schema::Report& done = outcome.reports.emplace_back(finished_report(*one.run.record));
    const base::ExitCode written = write_report(done, one.report, one.journal);
    if (outcome.reports.size() == 1) view.on_report(done);
    const bool can_go_on = (is_cut_short || supervise::has_crashed(*one.run.record)) && is_resumable(done.run);
    if (written == base::ExitCode::ok) view.on_report_written(one.report, can_go_on);
    outcome.code = base::worse(outcome.code, base::worse(exit_code_of(done, end_), written));
  }
  name_unsupported(outcome.reports.front());
  return outcome;
}

}  // namespace mpsbench::run
