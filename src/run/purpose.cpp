#include "run/purpose.hpp"

#include "base/log.hpp"
#include "run/calibration_task.hpp"
#include "run/gate/baseline_gate.hpp"
#include "run/gate/versus_gate.hpp"

#include <string>

namespace mpsbench::run {

using schema::Purpose;

std::unique_ptr<Task> new_task(const Options& options) {
  switch (options.purpose) {
    case Purpose::baseline:
      return std::make_unique<BaselineGate>(options);
    case Purpose::versus:
      return std::make_unique<VersusGate>(options);
    case Purpose::calibrate:
      return std::make_unique<CalibrationTask>(options.repeats_origin);
    case Purpose::plain:
    case Purpose::search:
      break;
  }
  return std::make_unique<PlainRun>();
}

namespace {

// If the baseline is missing, the run still continues, so that no launch is lost.
std::unique_ptr<Task> resumed_gate(const schema::RunRecord& record, const std::filesystem::path& file) {
  try {
    return std::make_unique<BaselineGate>(record, file);
  } catch (const base::Error& error) {
    if (error.kind() != base::ErrorKind::not_comparable) throw;
    base::log::warn(std::string(error.what()) +
                    ", so nothing is compared (exit code 4); restore it and resume again, or compare "
                    "afterwards: mpsbench compare BASELINE " +
                    file.string());
    return std::make_unique<PlainRun>(base::ExitCode::not_comparable);
  }
}

}  // namespace

std::unique_ptr<Task> resumed_task(const schema::RunRecord& record, const std::filesystem::path& file) {
  if (!record.run.purpose) {
    base::log::info("--resume: " + file.string() +
                    " does not record the purpose of its run, so it continues as a plain run; if it had a "
                    "baseline, compare afterwards: mpsbench compare BASELINE " +
                    file.string());
    return std::make_unique<PlainRun>();
  }
  switch (*record.run.purpose) {
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
