#include "run/session/session.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/units.hpp"
#include "report/metrics/assemble.hpp"
#include "run/plan/places.hpp"
#include "run/plan/time_plan.hpp"
#include "run/session/ceilings.hpp"
#include "run/session/outcome.hpp"
#include "schema/launch.hpp"
#include "supervise/run_order.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;
using supervise::JournaledRun;
using supervise::RunEnd;
using supervise::WorkerRun;

// Once the journals are locked, THEN may change what is at PLACES.
std::vector<JournaledRun> open_at(const std::vector<fs::path>& places, const std::vector<WorkerRun>& runs,
                                  void (*then)(const fs::path&) = nullptr) {
  std::vector<JournaledRun> journaled;
  try {
    for (std::size_t i = 0; i < runs.size(); ++i)
      journaled.push_back(
          {runs[i], supervise::Journal::create(journal_path(places[i]), *runs[i].record, places[i]), places[i]});
    if (then != nullptr) std::ranges::for_each(places, then);
  } catch (const base::Error&) {
    for (JournaledRun& one : journaled) one.journal.remove();
    throw;
  }
  return journaled;
}

bool any_exists(const std::vector<fs::path>& files) {
  return std::ranges::any_of(files, [](const fs::path& file) { return fs::exists(file); });
}

std::vector<JournaledRun> open_in_free_place(const fs::path& report, const std::vector<WorkerRun>& runs) {
  constexpr int kMostNames = 100;
  for (int number = 1;; ++number) {
    fs::path place = report;
    if (number > 1) place.replace_filename(report.stem().string() + "-" + std::to_string(number) + ".json");
    const std::vector<fs::path> places = report_places(place, runs.size() > 1);
    try {
      std::vector<JournaledRun> journaled = open_at(places, runs);
      // Check this after making the journal: another run may just have replaced its journal by its report.
      if (!any_exists(places)) return journaled;
      for (JournaledRun& one : journaled) one.journal.remove();
    } catch (const base::Error&) {
      // The other run may have replaced its journal by its report meanwhile.
      std::vector<fs::path> journals = places;
      std::ranges::transform(places, journals.begin(), journal_path);
      if (number == kMostNames || !(any_exists(journals) || any_exists(places))) throw;
    }
  }
}

// Whether a launch that computes the same as PLANNED was compared with REFERENCE and agreed, or one of
// PLANNED itself could not be compared.
bool is_compared(const schema::RunRecord& record, const schema::PlannedCase& planned, schema::Reference reference) {
  return std::ranges::any_of(record.run.planned, [&](const schema::PlannedCase& other) {
    if (!supervise::computes_alike(other, planned, reference, schema::Compared::weights)) return false;
    return std::ranges::any_of(supervise::launches_of(record, other.id), [&](const schema::Launch& launch) {
      return launch.status == schema::Status::ok &&
             (supervise::was_compared(launch, reference) ||
              (other.id == planned.id && launch.sensor_notes.contains(schema::kAgreementNote)));
    });
  });
}

void warn_of_journal(const base::Error& error) {
  base::log::warn(std::string(error.what()) + "; the run stops here, but no finished launch is lost yet");
}

}  // namespace

std::vector<JournaledRun> open_journals(const fs::path& report, bool is_named, const std::vector<WorkerRun>& runs) {
  if (is_named) return open_at(report_places(report, runs.size() > 1), runs, keep_earlier);
  return open_in_free_place(report, runs);
}

std::optional<TimeEnd> time_end(std::optional<double> limit_seconds) {
  if (!limit_seconds) return std::nullopt;
  return TimeEnd{*limit_seconds, base::steady_seconds() + *limit_seconds};
}

Session::Session(std::vector<JournaledRun> runs, RunSink show, bool reports_losses, std::optional<TimeEnd> end)
    : runs_(std::move(runs)), show_(std::move(show)), reports_losses_(reports_losses), time_end_(end) {
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
  const bool is_judge = planned.spec.device.row().is_host && planned.spec.precision == schema::Precision::fp32 &&
                        !row_of(planned.spec.mode).generates;  // whose cache must agree with a pass over all tokens
  request.check_output = !is_judge && !is_compared(record, planned, schema::Reference::cpu);
  request.check_engine =
      planned.spec.engine != schema::Engine::eager && !is_compared(record, planned, schema::Reference::eager);
  return request;
}

// Adds the package that REQUEST needs. Returns the launch that fails instead if there can be none.
std::optional<schema::Launch> Session::add_package(schema::LaunchRequest& request, const schema::RunRecord& record,
                                                   const schema::PlannedCase& planned) {
  const auto run = std::ranges::find(runs_, &record, [](const JournaledRun& one) { return one.run.record; });
  return packages_.add_to(request, planned, {run->run.worker, record.host, interrupt_.value(), show_});
}

void Session::make_packages() {
  for (JournaledRun& one : runs_) {
    schema::RunRecord& record = *one.run.record;
    std::map<std::size_t, std::vector<std::int64_t>> missing;  // launches by case
    for (const supervise::PlannedLaunch& launch : supervise::missing_launches(record))
      missing[launch.case_index].push_back(launch.index);
    for (const auto& [case_index, indices] : missing) {
      if (time_end_ && seconds_left() <= 0) return;
      const schema::PlannedCase& planned = record.run.planned[case_index];
      schema::LaunchRequest request = request_of(record, planned);
      const std::optional<schema::Launch> failed = add_package(request, record, planned);
      if (!failed) continue;
      std::int64_t order = supervise::next_order(record);
      for (const std::int64_t index : indices) {
        schema::Launch& launch = record.launches[planned.id].emplace_back(*failed);
        launch.index = index;
        launch.order = order++;
      }
      one.journal.rewrite(record);
    }
  }
}

RunEnd Session::launch(std::optional<double> goes_on_until) {
  try {
    make_packages();
  } catch (const base::Error& error) {
    const bool is_stopped = error.kind() == base::ErrorKind::interrupted;
    if (!is_stopped && error.kind() != base::ErrorKind::incomplete) throw;
    if (!is_stopped) warn_of_journal(error);
    end_ = is_stopped ? RunEnd::interrupted : RunEnd::journal_failed;
    return end_;
  }
  const std::vector<schema::RunRecord*> all = records();
  show_(LaunchesBegin{{all.begin(), all.end()}, goes_on_until});
  const auto make_request = [&](const schema::RunRecord& record, const schema::PlannedCase& planned) {
    schema::LaunchRequest request = request_of(record, planned);
    (void)add_package(request, record, planned);  // make_packages() has made it, so it is only looked up
    return request;
  };
  end_ = supervise::run_launches(runs_, make_request, show_, interrupt_.value(), ends_at());
  show_(LaunchesEnd{});
  return end_;
}

RunEnd Session::run_launches() {
  launch(std::nullopt);
  return repeat_disturbed();
}

RunEnd Session::run_first_launches() {
  return launch(ends_at());
}

RunEnd Session::launch_added() {
  try {
    for (JournaledRun& one : runs_) one.journal.rewrite(*one.run.record);
  } catch (const base::Error& error) {
    warn_of_journal(error);
    end_ = RunEnd::journal_failed;
    return end_;
  }
  return launch(std::nullopt);
}

RunEnd Session::run_added_launches() {
  launch_added();
  return repeat_disturbed();
}

RunEnd Session::run_spare_launches() {
  if (launch_added() == RunEnd::time_limit) take_missing_out_of_plans();
  return end_;
}

RunEnd Session::repeat_disturbed() {
  while (end_ == RunEnd::complete) {
    schema::RunRecord& record = *runs_.front().run.record;
    const std::vector<schema::PlannedCase> before = record.run.planned;
    const double sides = static_cast<double>(runs_.size());
    const double seconds = time_end_ ? seconds_left() / sides : std::numeric_limits<double>::infinity();
    const AddedLaunches added = add_launches(record, repeats_of_disturbed(record), seconds);
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
    run_spare_launches();
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
      return std::ssize(supervise::launches_of(record, planned.id)) >= std::min(least, planned.repeats);
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

SessionOutcome Session::finish() {
  interrupt_.reset();
  name_left_out();
  const bool is_cut_short = end_ == RunEnd::interrupted || end_ == RunEnd::time_limit;
  SessionOutcome outcome;
  for (JournaledRun& one : runs_) {
    schema::RunRecord& record = *one.run.record;
    record.run.finished_at = base::utc_timestamp();
    if (end_ == RunEnd::interrupted) record.run.status = schema::RunStatus::interrupted;
    if (record.host.libtorch) recall_ceilings(record, record.host.libtorch->version);
    const schema::Report& done = outcome.reports.emplace_back(report::assemble(record));
    const base::ExitCode written = write_report(done, one.report, one.journal);
    if (outcome.reports.size() == 1) show_(ReportMade{done});
    const bool can_go_on = (is_cut_short || supervise::has_crashed(record)) && is_resumable(done.run);
    if (written == base::ExitCode::ok) show_(ReportWritten{one.report, can_go_on});
    outcome.code = base::worse(outcome.code, base::worse(exit_code_of(done, end_), written));
  }
  name_unsupported(outcome.reports.front());
  return outcome;
}

}  // namespace mpsbench::run
