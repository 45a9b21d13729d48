#include "output/page/page_batches.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::timed_case;

std::string batches_of(const std::vector<schema::Report>& reports) {
  return batches_section(page_reports(reports));
}

TEST(BatchesSection, DrawsALineWithIntervalsAndItsFigures) {
  const std::string text =
      batches_of({tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.15), timed_case(64, 0.8)})});
  EXPECT_EQ(tests::count_of(text, "<figure><figcaption>mlp, train: time a step</figcaption>"), 1U) << text;
  EXPECT_EQ(tests::count_of(text, "class=\"line s0\""), 1U) << text;
  EXPECT_EQ(tests::count_of(text, "class=\"mark s0\""), 4U)
      << "three points and one mark in the legend" << text;
  EXPECT_EQ(tests::count_of(text, "class=\"whisker s0\""), 3U) << text;
  EXPECT_TRUE(contains(text, "<title>cpu, batch 64: 800 ms ±1.0 %</title>")) << text;
  EXPECT_TRUE(contains(text, "<th scope=\"row\">64</th><td class=\"r\">800 ms ±1.0 %</td>")) << text;
  for (const char* label :
       {">4</text>", ">8</text>", ">64</text>", ">batch size</text>", ">time a step</text>"})
    EXPECT_TRUE(contains(text, label)) << label;
}

TEST(BatchesSection, LabelsTheLinesOfSeveralReports) {
  const schema::Report report = tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)});
  const std::string text = batches_of({report, report});
  EXPECT_EQ(tests::count_of(text, "class=\"line "), 2U);
  EXPECT_TRUE(contains(text, ">A cpu</text>")) << text;
  EXPECT_TRUE(contains(text, ">B cpu</text>")) << text;
  EXPECT_EQ(tests::count_of(text, "class=\"legend\""), 0U);
}

TEST(BatchesSection, HasALegendWhereLabelsDoNotFit) {
  std::vector<schema::Report> reports(30, tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)}));
  const std::string text = batches_of(reports);
  EXPECT_EQ(tests::count_of(text, "class=\"line "), 30U);
  EXPECT_EQ(tests::count_of(text, "class=\"legend\""), 1U);
}

TEST(BatchesSection, NeedsTwoBatchSizes) {
  EXPECT_EQ(batches_of({tests::paged_report({timed_case(4, 0.1), tests::unmeasured_case()})}), "");
}

TEST(BatchesSection, LeavesOutPublishedFiguresOfOtherWork) {
  schema::CaseResult other = timed_case(16, 9);
  other.published = schema::Published{};
  other.metrics.step_seconds.mean = 9;
  for (const schema::Caution& caution : schema::cautions()) {
    if (caution.other_work) other.published->cautions = {caution.name};
  }
  const std::string text = batches_of({tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2), other})});
  EXPECT_FALSE(contains(text, "batch 16")) << text;
}

}  // namespace
}  // namespace mpsbench::output
