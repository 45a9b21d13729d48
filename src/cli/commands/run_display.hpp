// What a run shows and writes in addition to its report: progress on stderr, results on stdout and in the
// files of -o.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"
#include "output/console/progress.hpp"
#include "run/plan/run_event.hpp"
#include "schema/report.hpp"
#include "suite/settings.hpp"
#include "supervise/run_launches.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mpsbench::cli {

class RunDisplay {
 public:
  // Follows --plain, --color, --quiet and --no-progress. Without an output on stdout, stdout has the table.
  RunDisplay(const suite::Settings& settings, std::vector<ChosenOutput> outputs);

  // Shows the events of a run. The result must not outlive this object.
  [[nodiscard]] run::RunSink sink();

  void operator()(const run::BatchTried& tried);
  void operator()(const run::Compiling& one);
  void operator()(const run::Compiled& one);
  void operator()(const run::NotCompiled& one);
  void operator()(const run::LaunchesBegin& begin);
  void operator()(const supervise::LaunchEvent& event);
  void operator()(const supervise::LaunchStarted& started);
  void operator()(const supervise::LaunchEnded& ended);
  void operator()(const supervise::WorkerSaid& said);
  void operator()(const schema::HelloEvent& hello);
  void operator()(const schema::LossEvent& event);
  void operator()(const run::LaunchesEnd& end);
  void operator()(const run::ReportMade& made);
  void operator()(const run::ReportWritten& written);
  void operator()(const run::ComparisonMade& made);
  void operator()(const run::Calibrated& calibrated);

  // Returns the exit code of Error(incomplete) if a file could not be written.
  [[nodiscard]] base::ExitCode code() const { return code_; }

 private:
  struct Launches {
    const schema::RunRecord* record;
    output::Progress progress;
    std::set<std::string> told = {};  // reasons for which threads do not work, or not on CPUs of their own
    bool has_libtorch = false;
  };

  [[nodiscard]] bool is_table() const { return format_ == output::find_format("table") && !is_plain_; }
  // Shows times as the work of RECORD's cases takes.
  void expect_times(const schema::RunRecord& record);
  void write_files(const schema::Report& report);

  std::vector<ChosenOutput> outputs_;
  const output::ExportFormat* format_;  // on stdout
  bool is_plain_;                       // --plain replaces the format
  bool colour_on_stdout_;
  bool colour_on_stderr_;
  output::Progress::Style style_;
  bool has_header_;  // not printed yet
  output::StatusLine compiling_;
  std::string compiling_what_;  // last logged, if there is no such line
  std::optional<Launches> launches_;
  base::ExitCode code_ = base::ExitCode::ok;
};

}  // namespace mpsbench::cli
