// Fuzzes comparing: a report is compared with itself with other times, in the gate's and the machines' view.
#include "fuzz/harness.hpp"
#include "output/console/comparison_table.hpp"
#include "output/console/machines_table.hpp"
#include "output/export/comparison_export.hpp"
#include "report/compare/comparability.hpp"
#include "report/compare/compare.hpp"
#include "report/compare/machines.hpp"

namespace {

using namespace mpsbench;

report::ComparedReport slower(report::ComparedReport report) {
  double factor = 1;
  for (report::ComparedCase& one : report.cases) {
    for (report::ComparedLaunch& launch : one.launches) launch.step_seconds *= (factor += 0.01);
    if (one.step_seconds) one.step_seconds = *one.step_seconds * factor;
  }
  return report;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::try_to([&] {
    const report::ComparedReport before = report::parse_compared_report(fuzz::text_of(data, size), "a.json");
    const report::ComparedReport after = slower(before);
    fuzz::try_to([&] {
      const report::Comparability notes = report::comparability(before, after);
      const report::Comparison comparison = report::compare(before, after, {});
      (void)output::comparison_table(comparison, true);
      (void)output::comparison_markdown(comparison);
      (void)output::comparison_summary(comparison);
      (void)output::comparison_csv(comparison);
      (void)output::comparison_json(comparison, notes.caveats);
    });
    const std::vector<report::ComparedReport> reports{before, after};
    const report::MachineTable table = report::machine_table(reports);
    if (table.columns.empty()) return;
    const report::MachineSummary summary = report::machine_summary(table);
    const report::Comparability notes = report::comparability(summary.shared);
    (void)output::machines_table(summary, true);
    (void)output::machines_markdown(summary);
    (void)output::machines_csv(table);
    (void)output::machines_json(table, summary, notes.caveats);
  });
  return 0;
}
