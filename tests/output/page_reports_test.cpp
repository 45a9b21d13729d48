#include "output/page/page_reports.hpp"

#include "support/paged.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mpsbench::output {
namespace {

TEST(PageReports, AreLetteredLikeTheMachinesOfCompare) {
  const std::vector<schema::Report> reports{tests::paged_report({tests::timed_case(4, 0.1)}),
                                            tests::paged_report({}),
                                            tests::paged_report({tests::timed_case(4, 0.1)})};
  const PageReports page = page_reports(reports);
  EXPECT_EQ(page.letters, (std::vector<std::string>{"A", "–", "B"}));
  EXPECT_EQ(page.ids[0], std::vector<std::string>{"mlp/train/cpu/b4"});
  EXPECT_TRUE(page.ids[1].empty());
  EXPECT_EQ(page.compared[2].file, "B");
  EXPECT_TRUE(page.several());
}

TEST(CaseAnchor, IsUniqueAndPlain) {
  std::set<std::string> anchors;
  for (std::size_t report = 0; report < 60; ++report) {
    for (std::size_t number = 0; number < 120; ++number) anchors.insert(case_anchor(report, number));
  }
  EXPECT_EQ(anchors.size(), 60U * 120U);
  EXPECT_EQ(case_anchor(0, 12), "a12");
}

TEST(SeriesOf, NamesWhatIsNotAtItsDefault) {
  schema::CaseResult result = tests::timed_case(4, 0.25);
  EXPECT_EQ(series_of(result), "cpu");
  result.spec.precision = schema::Precision::bf16;
  result.spec.engine = schema::Engine::graph;
  result.id += "+channels-last=true+seed=1";
  EXPECT_EQ(series_of(result), "cpu bf16 graph channels-last=true seed=1");
  result.published = schema::Published{};
  EXPECT_EQ(series_of(result), "cpu bf16 graph channels-last=true seed=1 (published)");
}

}  // namespace
}  // namespace mpsbench::output
