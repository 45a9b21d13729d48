#include "output/page/page_reports.hpp"

#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::timed_case;
using Words = std::vector<std::string>;

schema::Report report_of(const std::string& host, const std::string& chip, std::int64_t batch_size = 4) {
  schema::Report report = tests::paged_report({timed_case(batch_size, 0.1)}, host);
  report.host.name = host;
  report.host.cpu.model = chip;
  return report;
}

Words machines_of(const std::vector<schema::Report>& reports, const Words& files = {}) {
  return page_reports(reports, files).machines;
}

TEST(PageReports, NameMachinesByTheirChips) {
  schema::Report report = report_of("a", "AMD EPYC");
  report.cases.push_back(timed_case(4, 0.01));
  report.cases[1].spec.device = "cuda";
  report.cases[1].id = "mlp/train/cuda/b4/fp32/eager/synthetic";
  report.host.accelerators = {{"cuda:0", "NVIDIA H200", std::nullopt}};
  EXPECT_EQ(machines_of({report}), (Words{"AMD EPYC", "NVIDIA H200"}));
  report.host.accelerators[0].name = "AMD EPYC";
  EXPECT_EQ(machines_of({report}), (Words{"AMD EPYC (cpu)", "AMD EPYC (cuda)"}));
  EXPECT_EQ(machines_of({report_of("a", "")}), Words{"a"});
}

TEST(PageReports, TellTheSameChipApart) {
  std::vector<schema::Report> reports{report_of("a", "M1"), report_of("b", "M1")};
  EXPECT_EQ(machines_of(reports), (Words{"M1 (a)", "M1 (b)"}));
  reports[1].host.name = "a";
  EXPECT_EQ(machines_of(reports), (Words{"M1 (no. 1)", "M1 (no. 2)"}));
  EXPECT_EQ(machines_of(reports, {"x/old.json", "x/new.json"}), (Words{"M1 (old)", "M1 (new)"}));
  reports[0].tool.git_commit = "a1b2c3d";
  reports[1].tool.git_commit = "e4f5a6b";
  EXPECT_EQ(machines_of(reports), (Words{"M1 (a1b2c3d)", "M1 (e4f5a6b)"}));
  reports[1].run.started_at = "2026-11-22T10:02:00Z";
  EXPECT_EQ(machines_of(reports), (Words{"M1 (2026-11-21)", "M1 (2026-11-22)"}));
}

TEST(PageReports, NameCasesByWhatDiffers) {
  schema::CaseResult other = timed_case(8, 0.1);
  other.spec.precision = schema::Precision::bf16;
  other.id = "mlp/train/cpu/b8/bf16/eager/synthetic+seed=1";
  const std::vector<schema::Report> reports{tests::paged_report({timed_case(4, 0.1), other})};
  const PageReports page = page_reports(reports, {});
  EXPECT_EQ(page.cases[0].name, "batch 4, fp32");
  EXPECT_EQ(page.cases[1].name, "batch 8, bf16, seed=1");
  EXPECT_EQ(page.cases[1].series, "bf16, seed=1");
  EXPECT_EQ(page.named(page.cases[1]), "mlp train, batch 8, bf16, seed=1");
}

TEST(PageReports, MarkTheFastestBatchSizeOfASeries) {
  schema::CaseResult other_work = timed_case(64, 0.01, 0);
  other_work.published = schema::Published{"", std::nullopt, {"mislabelled-workload"}, "", std::nullopt, {}};
  const std::vector<schema::Report> reports{
      tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.1), timed_case(16, 0.4), other_work})};
  const PageReports page = page_reports(reports, {});
  std::vector<bool> fastest;
  for (const PageCase& one : page.cases) fastest.push_back(one.is_fastest);
  EXPECT_EQ(fastest, (std::vector<bool>{false, true, false, false}));
}

TEST(PageReports, AreAGateForTwoRunsOfOneMachine) {
  const schema::Report report = tests::paged_report({timed_case(4, 0.1)});
  schema::Report other = tests::paged_report({timed_case(4, 0.1)}, "other");
  const auto is_gate = [](const std::vector<schema::Report>& reports) {
    return page_reports(reports, {}).comparison.has_value();
  };
  EXPECT_TRUE(is_gate({report, other}));
  EXPECT_FALSE(is_gate({report, report})) << "the same run";
  EXPECT_FALSE(is_gate({report, other, other}));
  other.cases[0].definition_sha256 = "another";
  EXPECT_FALSE(is_gate({report, other})) << "other work";
  other.host.name = "elsewhere";
  EXPECT_FALSE(is_gate({report, other}));
}

TEST(PageReports, FindCasesAgain) {
  const std::vector<schema::Report> reports{report_of("a", "x"), tests::paged_report({}), report_of("b", "y")};
  const PageReports page = page_reports(reports, {});
  ASSERT_EQ(page.cases.size(), 2U);
  EXPECT_EQ(page.position(&page.compared[0].cases[0]), 0U);
  EXPECT_EQ(page.position(&page.compared[2].cases[0]), 1U);
  EXPECT_EQ(page.cases[1].machine, 1U);
}

}  // namespace
}  // namespace mpsbench::output
