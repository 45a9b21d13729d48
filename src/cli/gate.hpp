// `run --baseline` and `run --versus`: as many launches as the verdicts need, then the comparison.
#pragma once

#include "cli/sequel.hpp"
#include "report/calibration.hpp"
#include "report/compare.hpp"
#include "report/compared_report.hpp"
#include "suite/settings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::cli {

// Launches of a case before the first look, where --repeats is not given.
[[nodiscard]] std::string gate_repeats();

// Whether SETTINGS ask for a gate. Throws Error(usage) for options of one on the command line without it.
[[nodiscard]] bool wants_gate(const suite::Settings& settings);

class Gate final : public Sequel {
 public:
  // Reads the baseline. Throws Error(usage), Error(not_comparable).
  explicit Gate(const suite::Settings& settings);

  // The baseline is of this machine and this work.
  void prepare(schema::RunRecord& record) override;
  // Once: what the launches' spread says that a verdict takes, as far as the budget goes.
  bool extend(const std::vector<schema::RunRecord*>& records) override;
  base::ExitCode conclude(const std::vector<schema::Report>& reports) override;

 private:
  [[nodiscard]] report::Comparison compare_with(const report::ComparedReport& before,
                                                const report::ComparedReport& after) const;
  [[nodiscard]] std::vector<std::string> notes(const report::ComparedReport& before,
                                               const report::ComparedReport& after) const;

  [[nodiscard]] double budget_seconds() const;

  suite::Settings settings_;
  std::optional<report::ComparedReport> baseline_;  // null: the other side is --versus's run
  report::CompareRules rules_;
  report::Calibration calibration_;
  bool has_extended_ = false;
};

}  // namespace mpsbench::cli
