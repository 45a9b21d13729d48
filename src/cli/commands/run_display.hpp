// What a run shows and writes in addition to its report: progress on stderr, results on stdout and in the
// files of -o.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"
#include "output/console/progress.hpp"
#include "run/plan/view.hpp"
#include "schema/report.hpp"
#include "suite/settings.hpp"
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

class RunDisplay final : public run::View {
 public:
  // Follows --plain, --color, --quiet and --no-progress. Without an output on stdout, stdout has the table.
  RunDisplay(const suite::Settings& settings, std::vector<ChosenOutput> outputs);

  void on_trial(const std::string& case_id, const std::string& result) override;
  void on_compile(const std::string& case_id, const std::string& stage, double elapsed_seconds,
                  std::optional<double> expected_seconds) override;
  void on_compiled(const std::string& case_id, double seconds) override;
  void on_compile_failed(const std::string& case_id, const std::string& reason) override;
  supervise::RunListener& on_launches_begin(const std::vector<const schema::RunRecord*>& records,
                                            std::optional<double> goes_on_until) override;
  void on_launches_end() override;
  void on_report(const schema::Report& report) override;
  void on_report_written(const std::filesystem::path& place, bool can_go_on) override;
  void on_comparison(const report::Comparison& comparison, const std::vector<std::string>& notes) override;
  void on_calibration(const std::vector<report::CalibratedCase>& cases) override;

  // Returns the exit code of Error(incomplete) if a file could not be written.
  [[nodiscard]] base::ExitCode code() const { return code_; }

 private:
  [[nodiscard]] bool is_table() const { return format_ == output::find_format("table") && !is_plain_; }
  void write_files(const schema::Report& report);

  std::vector<ChosenOutput> outputs_;
  const output::ExportFormat* format_;  // on stdout
  bool is_plain_;                       // --plain replaces the format
  bool colour_on_stdout_;
  bool colour_on_stderr_;
  output::Progress::Style progress_;
  bool has_header_;  // not printed yet
  output::StatusLine compiling_;
  std::string compiling_what_;  // last logged, if there is no such line
  std::optional<RunView> launches_;
  base::ExitCode code_ = base::ExitCode::ok;
};

}  // namespace mpsbench::cli
