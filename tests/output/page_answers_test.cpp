#include "output/page/page_view.hpp"
#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::machine;
using tests::timed_case;
using Cases = std::vector<schema::CaseResult>;
using Reports = std::vector<schema::Report>;

schema::CaseResult infer_case(std::int64_t batch_size, double seconds) {
  schema::CaseResult result = timed_case(batch_size, seconds);
  result.spec.mode = schema::Mode::infer;
  result.id = "mlp/infer/cpu/b" + std::to_string(batch_size) + "/fp32/eager/synthetic";
  return result;
}

std::string answer(const Reports& reports) {
  const PageReports page = page_reports(reports, {});
  return page_answer(page, page_references(page));
}

TEST(PageAnswer, ComparesMachinesInTheMedianOfTheirCases) {
  const schema::Report slow = machine("M1", {timed_case(4, 3), timed_case(8, 12), infer_case(4, 1)});
  EXPECT_EQ(answer({slow, machine("H200", {timed_case(4, 0.001), timed_case(8, 0.004), infer_case(4, 0.002)})}),
            "H200 trains 3,000 times and infers 500 times as fast as M1, in the median of 3 shared cases, 500 to "
            "3,000.");
  EXPECT_EQ(answer({machine("H200", {timed_case(4, 1), timed_case(8, 6)}), slow}),
            "H200 trains 2.4 times as fast as M1, in the median of 2 shared cases, 2.0 to 3.0.")
      << "whichever report comes first";
  EXPECT_EQ(answer({slow, machine("M2", {timed_case(4, 1.5), timed_case(8, 6), infer_case(4, 0.5)})}),
            "M2 trains and infers 2.0 times as fast as M1, in the median of 3 shared cases.");
  EXPECT_EQ(answer({slow, machine("M3", {timed_case(4, 1.5), timed_case(8, 6), infer_case(4, 3)})}),
            "M3 trains 2.0 times as fast as M1 and infers 3.0 times slower, in the median of 3 shared cases, "
            "0.333× "
            "to 2.00×.");
}

TEST(PageAnswer, HasNoMedianOfOneCaseOfEachMode) {
  EXPECT_EQ(answer({machine("M1", {timed_case(4, 3), infer_case(4, 1)}),
                    machine("M2", {timed_case(4, 1), infer_case(4, 0.1)})}),
            "M2 trains 3.0 times and infers 10 times as fast as M1, in one shared case each.");
}

TEST(PageAnswer, GivesTheIntervalOfASingleSharedCase) {
  EXPECT_EQ(answer({machine("M1", {timed_case(4, 3)}), machine("M2", {timed_case(4, 1)})}),
            "M2 trains 3.0 times as fast as M1, in the one shared case (±0.0 %).");
  EXPECT_EQ(answer({machine("M1", {timed_case(4, 3)}), machine("M2", {timed_case(4, 1, 1)})}),
            "M2 trains 3.0 times as fast as M1, in the one shared case (one launch).");
}

TEST(PageAnswer, TellsTheRatesOfOneMachine) {
  EXPECT_EQ(answer({machine("M1", {timed_case(4, 0.1), infer_case(4, 0.01)})}),
            "M1 trains 40.0 and infers 400 rows a second (mlp, batch 4).");
  EXPECT_EQ(answer({machine("M1", {timed_case(4, 0.1), infer_case(8, 0.01)})}),
            "M1 trains 40.0 (mlp, batch 4) and infers 800 rows a second (mlp, batch 8).");
  EXPECT_EQ(answer({machine("M1", {tests::generating_case(8, 0.1), timed_case(4, 0.1)})}),
            "M1 trains 40.0 rows a second (mlp, batch 4); M1 generates 80.0 tokens a second (gpt2, batch 8).");
  EXPECT_EQ(answer({machine("M1", {tests::generating_case(8, 0.1)})}),
            "M1 generates 80.0 tokens a second (gpt2, batch 8).");
  schema::CaseResult failed = timed_case(4, 0.1);
  failed.status = schema::Status::crashed;
  EXPECT_EQ(answer({machine("M1", {failed})}), "No case was measured.");
}

TEST(PageAnswer, IsTheVerdictOfAGate) {
  const schema::Report before = tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)}, "old");
  EXPECT_EQ(answer({before, tests::paged_report({timed_case(4, 0.11), timed_case(8, 0.2)}, "new")}),
            "1 case of 2 is slower by more than 2 %: mlp/train/cpu/b4.");
  EXPECT_EQ(answer({before, tests::paged_report({timed_case(4, 0.11, 1), timed_case(8, 0.2)}, "new")}),
            "No case of 2 is slower by more than 2 %. 1 case is undecided.");
  schema::Report other = tests::paged_report({timed_case(4, 0.11)}, "new");
  other.cases[0].definition_sha256 = "another";
  EXPECT_EQ(answer({before, other}), "The reports cannot be compared.");
}

TEST(PageReferences, AreAllMachinesTheSlowestFirst) {
  const Reports reports{machine("a", {timed_case(4, 2)}), machine("b", {timed_case(4, 4)}),
                        machine("c", {timed_case(4, 1)}), machine("d", {timed_case(64, 1)})};
  const PageReports page = page_reports(reports, {});
  const std::vector<PageReference> references = page_references(page);
  ASSERT_EQ(references.size(), 3U) << "d shares nothing";
  EXPECT_EQ(references[0].machine, 1U);
  ASSERT_EQ(references[0].others.size(), 2U);
  EXPECT_EQ(references[0].others[0].machine, 2U);
  EXPECT_NEAR(references[0].others[0].all.median, 4, 1e-9);
  EXPECT_EQ(references[2].answer, "c trains 2.0 times as fast as a, in the one shared case (±0.0 %).");
}

TEST(PageTitle, SaysWhoIsCompared) {
  const auto title = [](const Reports& reports) { return page_title(page_reports(reports, {})); };
  const auto one = [](const std::string& name) { return machine(name, {timed_case(4, 0.1)}); };
  EXPECT_EQ(title({one("a")}), "a");
  EXPECT_EQ(title({one("a"), one("b")}), "a and b");
  EXPECT_EQ(title({one("a"), one("b"), one("c")}), "a, b and c");
  EXPECT_EQ(title({one("a"), one("b"), one("c"), one("d")}), "4 machines");
  EXPECT_EQ(title({one("a"), tests::paged_report({timed_case(4, 0.1)}, "new")}), "a and AMD EPYC");
  EXPECT_EQ(title({tests::paged_report({timed_case(4, 0.1)}), tests::paged_report({timed_case(4, 0.1)}, "new")}),
            "epyc-0a1b, before and after");
}

TEST(PageRemarks, SayHowToShareACase) {
  const Reports reports{machine("a", {timed_case(4, 2)}), machine("b", {timed_case(8, 4)})};
  const auto remarks = page_remarks(page_reports(reports, {"a.json", "b.json"}));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_TRUE(tests::contains(remarks[0], "batch size 4 and 8. To share one: mpsbench run -m mlp")) << remarks[0];
}

TEST(PageRemarks, SayWhatMakesTheOnlyReportDoubtful) {
  const auto remarks = page_remarks(page_reports({machine("a", {timed_case(4, 2, 1)})}, {}));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_TRUE(tests::contains(remarks[0], "give each case more launches: -r 3")) << remarks[0];
}

TEST(PageSubtitle, CountsCasesAndReports) {
  const Reports reports{machine("a", {timed_case(4, 2)}), machine("b", {timed_case(8, 4)})};
  EXPECT_TRUE(page_subtitle(page_reports(reports, {})).starts_with("2 cases of 2 reports, 2026-11-21"));
}

}  // namespace
}  // namespace mpsbench::output
