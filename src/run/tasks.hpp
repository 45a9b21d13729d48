// The tasks of runs, by their purpose: plain ones, calibrations and gates.
#pragma once

#include "run/plan/options.hpp"
#include "run/session/session.hpp"
#include "schema/report.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace mpsbench::run {

// A run that only writes its report, without comparing or calibrating.
class PlainRun final : public Task {
 public:
  // AT_BEST is the exit code if nothing fails.
  explicit PlainRun(base::ExitCode at_best = base::ExitCode::ok) : at_best_(at_best) {}

  void prepare(schema::RunRecord& record) override;
  [[nodiscard]] base::ExitCode run(Session& session) override;

 private:
  void fill(Session& session) const;

  base::ExitCode at_best_;
  bool fills_time_ = false;  // a resumed run keeps its plan
};

// `mpsbench calibrate`: measures how much two runs of the same work differ on this machine. Runs each case ten
// times its repeats, and saves the spread for this machine.
class CalibrationTask final : public Task {
 public:
  // REPEATS_ORIGIN says in messages where the repeats were set.
  explicit CalibrationTask(std::string repeats_origin = "--repeats");
  // Restores the calibration of the run in FILE, for --resume. Throws Error(usage) if its number of launches
  // is not that of a calibration.
  CalibrationTask(const schema::RunRecord& record, const std::filesystem::path& file);

  void prepare(schema::RunRecord& record) override;
  [[nodiscard]] base::ExitCode run(Session& session) override;

 private:
  std::string repeats_origin_;
};

// Makes the task of a new run. Throws Error if its baseline cannot be used.
[[nodiscard]] std::unique_ptr<Task> new_task(const Options& options);

// Makes the task of the run in FILE, which must be resumable; it continues with its purpose. If the baseline of a
// gate is missing or has changed, the run ends without a verdict.
[[nodiscard]] std::unique_ptr<Task> resumed_task(const schema::RunRecord& record, const std::filesystem::path& file);

}  // namespace mpsbench::run
