#include "report/compare/report_names.hpp"

#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

ComparedReport run_of(const std::string& file, const std::string& date, const std::string& commit) {
  ComparedReport report = tests::compared_report(file, {});
  report.started_at = date + "T10:00:00Z";
  report.tool.git_commit = commit;
  return report;
}

using Names = std::vector<std::string>;

Names names_of(const std::vector<ComparedReport>& runs) {
  std::vector<const ComparedReport*> reports;
  for (const ComparedReport& run : runs) reports.push_back(&run);
  const auto names = report_names(reports);
  Names texts;
  for (const ComparedReport* run : reports) texts.push_back(names.at(run));
  return texts;
}

TEST(ReportNames, TellRunsOfOneMachineApartByWhatDiffers) {
  const ComparedReport a = run_of("x/a.json", "2026-11-21", "aaaaaaa");
  EXPECT_EQ(names_of({a}), Names{"epyc-0a1b"});
  EXPECT_EQ(names_of({a, run_of("b.json", "2026-11-22", "aaaaaaa")}),
            (Names{"epyc-0a1b, 2026-11-21", "epyc-0a1b, 2026-11-22"}));
  EXPECT_EQ(names_of({a, run_of("b.json", "2026-11-21", "bbbbbbb")}),
            (Names{"epyc-0a1b, aaaaaaa", "epyc-0a1b, bbbbbbb"}));
  EXPECT_EQ(names_of({a, run_of("b.json", "2026-11-21", "aaaaaaa")}),
            (Names{"epyc-0a1b, a.json", "epyc-0a1b, b.json"}));
  EXPECT_EQ(names_of({a, run_of("y/a.json", "2026-11-21", "aaaaaaa")}),
            (Names{"epyc-0a1b, x/a.json", "epyc-0a1b, y/a.json"}));
  ComparedReport other = run_of("c.json", "2026-11-21", "aaaaaaa");
  other.host.name = "m1";
  EXPECT_EQ(names_of({a, other}), (Names{"epyc-0a1b", "m1"}));
}

}  // namespace
}  // namespace mpsbench::report
