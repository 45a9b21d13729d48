#include "run/calibration_task.hpp"

#include "report/compare/required_launches.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace mpsbench::run {
namespace {

using base::ExitCode;

// The number of runs, of --repeats launches each, that run one after the other.
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

}  // namespace

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

ExitCode CalibrationTask::run(Session& session, View& view) {
  const supervise::RunEnd end = session.run_launches(view);
  const SessionOutcome outcome = session.finish(view);
  if (end != supervise::RunEnd::complete) return outcome.code;
  const schema::Report& report = outcome.reports.front();
  const std::vector<report::CalibratedCase> cases = calibrated_cases(report);
  const bool is_kept = keep(report, cases);
  view.on_calibration(cases);
  return base::worse(outcome.code, is_kept ? ExitCode::ok : ExitCode::incomplete);
}

}  // namespace mpsbench::run
