// What `run --baseline` and `run --versus` have in common: they run as many launches as the verdicts need,
// then compare.
#pragma once

#include "base/error.hpp"
#include "report/compare/comparability.hpp"
#include "report/compare/compare.hpp"
#include "report/compare/compared_report.hpp"
#include "report/compare/required_launches.hpp"
#include "run/session/task.hpp"
#include "schema/gate.hpp"

#include <string>
#include <vector>

namespace mpsbench::run {

// The notes and the exit code of a comparison of two reports of one machine.

// Returns the notes to show with the figures. Throws Error(not_comparable) if there are obstacles, unless
// FORCE.
[[nodiscard]] std::vector<std::string> notes_of(report::Comparability found, bool force);

struct FailOn {
  bool regression = false;
  bool undecided = false;
};

// Returns not_comparable if no case could be compared.
[[nodiscard]] base::ExitCode comparison_outcome(const report::Comparison& comparison, const FailOn& fail_on);

// The command that compares two builds in turns, for gates that could not judge.

// Returns the command of a gated run (ARGV) with --versus in place of its baseline. Options that belong to
// that run alone are left out: --baseline, --export-json and --repeats.
[[nodiscard]] std::string versus_command(const std::vector<std::string>& argv);

class Gate : public Task {
 public:
  [[nodiscard]] base::ExitCode run(Session& session, View& view) final;

 protected:
  explicit Gate(schema::GateInfo info);

  // Returns the side with which the run is compared. OTHER is the last side's report.
  [[nodiscard]] virtual report::ComparedReport before(const schema::Report& other) const = 0;

  // Returns the notes for the comparison. Throws Error(not_comparable) if the two sides cannot be compared.
  [[nodiscard]] std::vector<std::string> notes(const report::ComparedReport& before,
                                               const report::ComparedReport& after) const;

  schema::GateInfo info_;

 private:
  [[nodiscard]] bool is_against_fixed() const { return info_.baseline.has_value(); }
  [[nodiscard]] report::Comparison compare(const report::ComparedReport& before,
                                           const report::ComparedReport& after) const;
  // Adds as many launches as the verdicts need, judging by the spread so far, within the budget. Does so only
  // once per run. Returns true if the plans of all RECORDS now have more repeats.
  [[nodiscard]] bool extend(const std::vector<schema::RunRecord*>& records);
  [[nodiscard]] base::ExitCode conclude(const std::vector<schema::Report>& reports, View& view) const;

  report::SpreadStore spreads_;
};

}  // namespace mpsbench::run
