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

// Whether SETTINGS ask for a gate. Throws Error(usage) for options of one on the command line without it.
[[nodiscard]] bool wants_gate(const suite::Settings& settings);

class Gate final : public Sequel {
 public:
  // Reads the baseline. Throws Error(usage), Error(not_comparable).
  explicit Gate(const suite::Settings& settings);

  // A case's launches before the first look are report::kFirstLaunches at least, but what the command line
  // says.
  void adjust(suite::Settings& matrix) override;
  // The baseline is of this machine and this work.
  void prepare(schema::RunRecord& record) override;
  // Once: what the launches' spread says that a verdict takes, as far as the budget goes.
  bool extend(const std::vector<schema::RunRecord*>& records) override;
  // Two runs would not take turns any more, and the other one's worker is not recorded.
  [[nodiscard]] bool is_resumable() const override { return baseline_.has_value(); }
  base::ExitCode conclude(const std::vector<schema::Report>& reports) override;

 private:
  // OTHER: the last side's report.
  [[nodiscard]] report::ComparedReport before_of(const schema::Report& other) const;
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
