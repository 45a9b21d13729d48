// What a person or a program sees of a run: progress on stderr, the report on stdout.
#pragma once

#include "cli/commands/run_view.hpp"
#include "run/view.hpp"
#include "suite/settings.hpp"

#include <optional>
#include <string>

namespace mpsbench::cli {

class RunDisplay final : public run::View {
 public:
  // By --output, --plain, --color, --quiet and --no-progress.
  explicit RunDisplay(const suite::Settings& settings);

  void on_trial(const std::string& case_id, const std::string& result) override;
  supervise::RunListener& on_launches_begin(const std::vector<const schema::RunRecord*>& records) override;
  void on_launches_end() override;
  void on_report(const schema::Report& report) override;
  void on_report_written(const std::filesystem::path& place, bool can_go_on) override;
  void on_comparison(const report::Comparison& comparison, const std::vector<std::string>& notes) override;
  void on_calibration(const std::vector<report::CalibratedCase>& cases) override;

 private:
  [[nodiscard]] bool is_table() const { return format_ == suite::OutputFormat::table && !is_plain_; }

  suite::OutputFormat format_;
  bool is_plain_;  // instead of the format
  bool colour_on_stdout_;
  bool colour_on_stderr_;
  output::Progress::Style progress_;
  bool has_header_;  // still to be printed
  std::optional<RunView> launches_;
};

}  // namespace mpsbench::cli
