// What the user sees during a run.
#pragma once

#include "output/console/progress.hpp"
#include "schema/report.hpp"
#include "supervise/run_launches.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mpsbench::cli {

class RunView final : public supervise::RunListener {
 public:
  // RECORDS belong to runs of one plan that take turns. If HEADER is set, prints the header line on stdout as
  // soon as the first worker has reported its LibTorch. See View for GOES_ON_UNTIL.
  RunView(const std::vector<const schema::RunRecord*>& records, output::Progress::Style style, bool header,
          std::optional<double> goes_on_until = {});

  void on_hello(const schema::LibtorchInfo& libtorch) override;
  void on_phase(schema::Phase phase) override;
  void on_progress(const schema::ProgressEvent& event) override;
  void on_loss(const schema::LossEvent& event) override;
  void on_launch_start(const supervise::RunPosition& position) override;
  void on_launch_end(const supervise::RunPosition& position, const schema::Launch& launch) override;

  // Removes the progress line.
  void finish();

 private:
  [[nodiscard]] std::string device_words() const;
  // Shows times as the work of RECORD's cases takes.
  void expect_times(const schema::RunRecord& record);
  // Warns once of each reason for which threads do not work, or not on CPUs of their own.
  void warn_of_missing_threads(const schema::PlannedCase& planned, const schema::Launch& launch);

  const schema::RunRecord* record_;
  output::Progress progress_;
  std::set<std::string> told_;
  bool header_;
  bool has_libtorch_ = false;
};

}  // namespace mpsbench::cli
