// What `run --baseline` and `run --versus` have in common: as many launches as the verdicts need, then the
// comparison.
#pragma once

#include "report/compare/compare.hpp"
#include "report/compare/compared_report.hpp"
#include "report/compare/spread_store.hpp"
#include "run/task.hpp"
#include "schema/gate_info.hpp"

#include <string>
#include <vector>

namespace mpsbench::run {

class Gate : public Task {
 public:
  [[nodiscard]] base::ExitCode run(Session& session, View& view) final;

 protected:
  explicit Gate(schema::GateInfo info);

  // The side that the run is held against. OTHER: the last side's report.
  [[nodiscard]] virtual report::ComparedReport before(const schema::Report& other) const = 0;

  // Throws Error(not_comparable) where the two are unlike.
  [[nodiscard]] std::vector<std::string> notes(const report::ComparedReport& before,
                                               const report::ComparedReport& after) const;

  schema::GateInfo info_;

 private:
  [[nodiscard]] bool is_against_fixed() const { return info_.baseline.has_value(); }
  [[nodiscard]] report::Comparison compare(const report::ComparedReport& before,
                                           const report::ComparedReport& after) const;
  // Looks at the launches once in a run's life, and adds what a verdict takes by their spread, as far as the
  // budget goes. True: the RECORDS' plans have more repeats now, alike.
  [[nodiscard]] bool extend(const std::vector<schema::RunRecord*>& records);
  [[nodiscard]] base::ExitCode conclude(const std::vector<schema::Report>& reports, View& view) const;

  report::SpreadStore spreads_;
};

}  // namespace mpsbench::run
