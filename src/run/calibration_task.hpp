// `mpsbench calibrate`: measures how much two runs of the same work differ on this machine.
#pragma once

#include "run/session/task.hpp"

#include <filesystem>
#include <string>

namespace mpsbench::run {

// Runs each case kCalibrationRuns times its repeats, and saves the spread for this machine.
class CalibrationTask final : public Task {
 public:
  // REPEATS_ORIGIN says in messages where the repeats were set.
  explicit CalibrationTask(std::string repeats_origin = "--repeats");
  // Restores the calibration of the run in FILE, for --resume. Throws Error(usage) if its number of launches
  // is not that of a calibration.
  CalibrationTask(const schema::RunRecord& record, const std::filesystem::path& file);

  void prepare(schema::RunRecord& record) override;
  [[nodiscard]] base::ExitCode run(Session& session, View& view) override;

 private:
  std::string repeats_origin_;
};

}  // namespace mpsbench::run
