#include "output/page/page_details.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;

std::string details_of(const schema::Report& report) {
  const std::vector<schema::Report> reports{report};
  return details_section(page_reports(reports));
}

TEST(DetailsSection, HasChartsLaunchesAndFiguresOfEachCase) {
  const std::string text =
      details_of(tests::paged_report({tests::timed_case(4, 0.1, 3), tests::timed_case(8, 0.2, 2)}));
  EXPECT_EQ(tests::count_of(text, "<details class=\"case\">"), 2U);
  EXPECT_TRUE(contains(text, "<div id=\"a0\">")) << text;
  EXPECT_TRUE(contains(text, "<div id=\"a1\">")) << text;
  EXPECT_EQ(tests::count_of(text, "<figure>"), 4U) << "no latencies";
  EXPECT_EQ(tests::count_of(text, "<th scope=\"row\">"), 5U) << "one row per launch";
  EXPECT_TRUE(contains(text, "<td class=\"r\">21 × 1</td>")) << text;
  EXPECT_TRUE(contains(text, "<dt>step_seconds<dd>0.1<dt>")) << text;
}

TEST(DetailsSection, CaptionsNameTheCase) {
  const std::string text =
      details_of(tests::paged_report({tests::timed_case(4, 0.1, 3), tests::timed_case(8, 0.2, 2)}));
  for (const char* name : {"mlp/<wbr>train/<wbr>cpu/<wbr>b4", "mlp/<wbr>train/<wbr>cpu/<wbr>b8"}) {
    for (const char* what : {": samples of each launch</figcaption>", ": samples in the order"})
      EXPECT_EQ(tests::count_of(text, "<figcaption>" + std::string(name) + what), 1U) << text;
  }
}

TEST(DetailsSection, HasTheDriftAsANumber) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 1);
  result.metrics.drift_ratio = 1.25;
  EXPECT_TRUE(contains(details_of(tests::paged_report({result})), "<dt>drift_ratio<dd>1.25"));
}

TEST(DetailsSection, DrawsLatencies) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 1);
  result.launches[0].latency_samples_seconds = {0.2, 0.2, 0.3};
  EXPECT_TRUE(contains(details_of(tests::paged_report({result})), "latency, waiting"))
      << "asynchronous devices have a latency";
}

TEST(DetailsSection, TellsWhyACaseFailed) {
  schema::Report report = tests::paged_report({tests::unmeasured_case()});
  report.cases[0].failure->detail = "line 1\n<line 2>";
  report.cases[0].notes = {{"metrics.p90", "<too few>"}};
  const std::string text = details_of(report);
  EXPECT_TRUE(contains(text, "<pre>line 1\n&lt;line 2&gt;\n</pre>")) << text;
  EXPECT_TRUE(contains(text, "metrics.p90: &lt;too few&gt;")) << text;
}

TEST(DetailsSection, CitesPublishedFigures) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 0);
  result.published =
      schema::Published{"an <article>", std::nullopt, {schema::cautions()[0].name}, "a remark", {}, {}};
  const std::string text = details_of(tests::paged_report({result}));
  EXPECT_TRUE(contains(text, "published: an &lt;article&gt;")) << text;
  EXPECT_TRUE(contains(text, schema::cautions()[0].name + ": ")) << text;
  EXPECT_TRUE(contains(text, "a remark")) << text;
}

}  // namespace
}  // namespace mpsbench::output
