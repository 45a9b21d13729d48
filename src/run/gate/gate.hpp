// `run --baseline FILE` and `run --versus WORKER`: run as many launches as the verdicts need, then compare; and
// what they share with `compare`.
#pragma once

#include "base/error.hpp"
#include "report/compare/compare.hpp"
#include "report/compare/compared_report.hpp"
#include "report/compare/machines.hpp"
#include "report/compare/required_launches.hpp"
#include "run/plan/options.hpp"
#include "run/session/session.hpp"
#include "schema/gate.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::run {

// Returns the notes to show with the figures. Throws Error(not_comparable) if there are obstacles, unless FORCE.
[[nodiscard]] std::vector<std::string> notes_of(report::Comparability found, bool force);

struct FailOn {
  bool regression = false;
  bool undecided = false;
};

// Returns not_comparable if no case could be compared.
[[nodiscard]] base::ExitCode comparison_outcome(const report::Comparison& comparison, const FailOn& fail_on);

// Warns of undecided comparisons, and says how to decide them: turns with the old build.
void advise_turns(const report::Comparison& comparison);

// Returns the command of a gated run (ARGV) with --versus in place of its baseline. Options that belong to
// that run alone are left out: --baseline, --versus, --export-json and --repeats.
[[nodiscard]] std::string versus_command(const std::vector<std::string>& argv);

class Gate final : public Task {
 public:
  // Makes the gate of a new run. Throws Error(usage) or Error(not_comparable) if its file cannot be a baseline.
  explicit Gate(const Options& options);
  // Restores the gate of the run in FILE, for --resume, which has a baseline. Throws Error(not_comparable) if
  // that no longer exists or has changed.
  Gate(const schema::RunRecord& record, const std::filesystem::path& file);

  // Checks that the baseline is from this machine and measured this work, and makes launches last as long as its own.
  void prepare(schema::RunRecord& record) override;
  [[nodiscard]] base::ExitCode run(Session& session) override;

 private:
  // Returns the side with which the run is compared. OTHER is the last side's report.
  [[nodiscard]] report::ComparedReport before(const schema::Report& other) const;
  [[nodiscard]] report::Comparison compare(const report::ComparedReport& before,
                                           const report::ComparedReport& after) const;
  // Adds as many launches as the verdicts need, judging by the spread so far, within the budget. Does so only
  // once per run. Returns true if the plans of all RECORDS now have more repeats.
  [[nodiscard]] bool extend(const std::vector<schema::RunRecord*>& records);
  [[nodiscard]] base::ExitCode conclude(const std::vector<schema::Report>& reports, const Session& session) const;

  schema::GateInfo info_;
  std::optional<report::ComparedReport> baseline_;  // null: the run of another worker takes turns with this one
  std::string worker_;                              // that one, as the user named it
  bool has_own_max_time_ = false;
  report::SpreadStore spreads_;
};

// The other worker of --versus, and the build that it reports.
struct OtherWorker {
  std::filesystem::path program;
  std::optional<schema::ToolInfo> tool;
};

// Finds the other worker of a run with purpose versus; other runs have none. Throws Error(usage) if the program is not
// a worker, and Error(interrupted).
[[nodiscard]] std::optional<OtherWorker> find_other_worker(const Options& options);

// Makes a separate run of RECORD's plan for the other worker, built from TOOL. If the worker does not report
// its build, the commit is left unknown.
[[nodiscard]] schema::RunRecord second_run(const schema::RunRecord& record,
                                           const std::optional<schema::ToolInfo>& tool);

}  // namespace mpsbench::run
