// Fuzzes comparing: a report is compared with itself with other times, in the gate's and the machines' view.
#include "fuzz/harness.hpp"
#include "output/export/export_formats.hpp"
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
      for (const output::ExportFormat& format : output::export_formats()) {
        if (format.comparison != nullptr) (void)format.comparison({comparison, notes.caveats, true});
      }
    });
    const std::vector<report::ComparedReport> reports{before, after};
    const report::MachineTable table = report::machine_table(reports);
    if (table.columns.empty()) return;
    const report::MachineSummary summary = report::machine_summary(table);
    const report::Comparability notes = report::comparability(summary.shared);
    for (const output::ExportFormat& format : output::export_formats()) {
      if (format.machines != nullptr) (void)format.machines({table, summary, notes.caveats, true});
    }
  });
  return 0;
}
