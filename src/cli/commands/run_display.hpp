// What a run shows and writes in addition to its report: progress on stderr, results on stdout and in the
// files of -o.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"
#include "cli/commands/run_view.hpp"
#include "run/view.hpp"
#include "suite/settings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::cli {

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
