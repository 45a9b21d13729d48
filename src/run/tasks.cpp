#include "run/tasks.hpp"

#include "base/log.hpp"
#include "report/compare/required_launches.hpp"
#include "run/gate/gate.hpp"
#include "run/plan/time_plan.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace mpsbench::run {
namespace {

using base::ExitCode;
using schema::Purpose;

constexpr std::int64_t kLeastForInterval = 2;  // fewer launches have no interval
// The number of runs of a calibration, of --repeats launches each, that run one after the other.
constexpr std::int64_t kCalibrationRuns = 10;

std::vector<report::CalibratedCase> calibrated_cases(const schema::Report& report) {
  std::vector<report::CalibratedCase> cases;
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const std::int64_t launches = report.run.planned[i].repeats / kCalibrationRuns;
    cases.push_back({report.cases[i].id, launches, report::calibrate(report.cases[i], launches)});
  }
  return cases;
}

// Saves the spreads for this machine. Returns false if there are none.
bool keep(const schema::Report& report, const std::vector<report::CalibratedCase>& cases) {
  std::map<schema::DeviceId, report::Spreads> by_device;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::optional<stats::RunSpread>& spread = cases[i].spread;
    if (spread) by_device[report.cases[i].spec.device][cases[i].id] = *spread;
  }
  const report::SpreadStore calibration(report::cache_folder());
  for (const auto& [device, spreads] : by_device) calibration.keep(report.host, device, spreads);
  return !by_device.empty();
}

// If the baseline is missing, the run still continues, so that no launch is lost.
std::unique_ptr<Task> resumed_gate(const schema::RunRecord& record, const std::filesystem::path& file) {
  try {
    return std::make_unique<Gate>(record, file);
  } catch (const base::Error& error) {
    if (error.kind() != base::ErrorKind::not_comparable) throw;
    base::log::warn(std::string(error.what()) +
                    ", so nothing is compared (exit code 4); restore it and resume again, or compare "
                    "afterwards: mpsbench compare BASELINE " +
                    file.string());
    return std::make_unique<PlainRun>(ExitCode::not_comparable);
  }
}

}  // namespace

void PlainRun::prepare(schema::RunRecord& record) {
  fills_time_ = record.run.planned_within_seconds.has_value();
}

ExitCode PlainRun::run(Session& session) {
  if (fills_time_) {
    fill(session);
  } else {
    session.run_launches();
  }
  return base::worse(at_best_, session.finish().code);
}

// Runs the first launches of each case, and then as many more as there is time for.
void PlainRun::fill(Session& session) const {
  if (session.run_first_launches() != supervise::RunEnd::complete)
    return session.settle_for_launches(kLeastForInterval);
  // First, so that each case gets enough undisturbed launches before any gets more than that.
  if (session.repeat_disturbed() != supervise::RunEnd::complete) return;
  schema::RunRecord& record = *session.records().front();
  const AddedLaunches added = fill_time(record, session.seconds_left());
  if (const std::string words = fill_words(record, added); !words.empty()) base::log::info(words);
  if (!added.cases.empty()) session.run_spare_launches();
  session.repeat_disturbed();
}

CalibrationTask::CalibrationTask(std::string repeats_origin) : repeats_origin_(std::move(repeats_origin)) {}

CalibrationTask::CalibrationTask(const schema::RunRecord& record, const std::filesystem::path& file) {
  for (std::size_t i = 0; i < record.run.planned.size(); ++i) {
    const std::int64_t repeats = record.run.planned[i].repeats;
    if (repeats != 1 && repeats % kCalibrationRuns != 0)  // a case that does not run has 1
      throw base::usage_error("--resume: " + file.string() + ": $.run.planned[" + std::to_string(i) +
                              "].repeats: " + std::to_string(repeats) + " launches cannot be divided into the " +
                              std::to_string(kCalibrationRuns) + " runs of a calibration");
  }
}

void CalibrationTask::prepare(schema::RunRecord& record) {
  for (schema::PlannedCase& planned : record.run.planned) {
    if (planned.is_bound || record.launches.contains(planned.id)) continue;  // it does not run
    if (planned.repeats < 2)
      throw base::usage_error(repeats_origin_ +
                              ": one launch per run does not show its spread; give --repeats 2 or more");
    planned.repeats *= kCalibrationRuns;
  }
}

ExitCode CalibrationTask::run(Session& session) {
  const supervise::RunEnd end = session.run_launches();
  const SessionOutcome outcome = session.finish();
  if (end != supervise::RunEnd::complete) return outcome.code;
  const schema::Report& report = outcome.reports.front();
  const std::vector<report::CalibratedCase> cases = calibrated_cases(report);
  const bool is_kept = keep(report, cases);
  session.show(Calibrated{cases});
  return base::worse(outcome.code, is_kept ? ExitCode::ok : ExitCode::incomplete);
}

std::unique_ptr<Task> new_task(const Options& options) {
  switch (options.purpose) {
    case Purpose::baseline:
    case Purpose::versus:
      return std::make_unique<Gate>(options);
    case Purpose::calibrate:
      return std::make_unique<CalibrationTask>(options.repeats_origin);
    case Purpose::plain:
    case Purpose::search:
      break;
  }
  return std::make_unique<PlainRun>();
}

std::unique_ptr<Task> resumed_task(const schema::RunRecord& record, const std::filesystem::path& file) {
  switch (record.run.purpose.value_or(Purpose::plain)) {  // null: several runs are merged
    case Purpose::baseline:
      return resumed_gate(record, file);
    case Purpose::versus:
      throw base::Error(base::ErrorKind::internal, "a run with two workers cannot be resumed");
    case Purpose::calibrate:
      return std::make_unique<CalibrationTask>(record, file);
    case Purpose::plain:
    case Purpose::search:
      break;
  }
  return std::make_unique<PlainRun>();
}

}  // namespace mpsbench::run
