// `mpsbench calibrate`: how far two runs of the same work lie apart on this machine.
#pragma once

#include "run/task.hpp"

#include <filesystem>
#include <string>

namespace mpsbench::run {

// Each case runs kCalibrationRuns times its repeats, and the spread is kept with the machine.
class CalibrationTask final : public Task {
 public:
  // REPEATS_ORIGIN: where the repeats of a run were set, for messages.
  explicit CalibrationTask(std::string repeats_origin = "--repeats");
  // Of the run that FILE holds. Throws Error(usage) for launches that no calibration plans.
  CalibrationTask(const schema::RunRecord& record, const std::filesystem::path& file);

  void prepare(schema::RunRecord& record) override;
  [[nodiscard]] base::ExitCode run(Session& session, View& view) override;

 private:
  std::string repeats_origin_;
};

}  // namespace mpsbench::run
