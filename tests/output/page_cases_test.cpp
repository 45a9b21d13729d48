#include "output/page/page_cases.hpp"

#include "output/export/exporters.hpp"
#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;

TEST(CasesSection, ShowsFiguresFlagsAndFailuresWithALinkToEachCase) {
  const std::vector<schema::Report> reports{tests::exported_report()};
  const std::string text = cases_section(page_reports(reports));
  EXPECT_TRUE(contains(text, "<a href=\"#a0\">mlp/<wbr>train/<wbr>cpu/<wbr>b64</a>")) << text;
  EXPECT_TRUE(contains(text, "375 ms ±33 %")) << text;
  EXPECT_TRUE(contains(text, "<span class=\"flag\">noisy</span>")) << text;
  EXPECT_TRUE(contains(text, "<span class=\"bad\">out of memory (needs 2 GiB, 1 free)</span>")) << text;
}

TEST(CasesSection, ShowsThePublishedTimesThatMarkdownShows) {
  schema::CaseResult published = tests::timed_case(8, 0.1, 0);
  published.published = schema::Published{};
  published.metrics.step_seconds.median.reset();
  published.metrics.step_seconds.mean = 3.58;
  published.metrics.step_seconds.ci95.reset();
  const std::vector<schema::Report> reports{tests::paged_report({published})};
  EXPECT_TRUE(contains(cases_section(page_reports(reports)), ">3.58 s ±? (mean)<"));
  EXPECT_TRUE(contains(to_markdown(reports.front()), "| 3.58 s ±? (mean) |"));
}

TEST(CasesSection, IsATableAReport) {
  const std::vector<schema::Report> reports{tests::exported_report(), tests::exported_report()};
  const std::string text = cases_section(page_reports(reports));
  EXPECT_TRUE(contains(text, "<caption>A · epyc-0a1b</caption>")) << text;
  EXPECT_TRUE(contains(text, "<caption>B · epyc-0a1b</caption>")) << text;
  EXPECT_TRUE(contains(text, "#b1")) << text;
}

TEST(FlagsSection, ExplainsWhatWasRaised) {
  const std::vector<schema::Report> reports{tests::exported_report()};
  const std::string text = flags_section(page_reports(reports));
  EXPECT_TRUE(contains(text, "<dt>noisy</dt><dd>")) << text;
  EXPECT_FALSE(contains(text, "drifting")) << text;
  const std::vector<schema::Report> plain{tests::paged_report({tests::unmeasured_case()})};
  EXPECT_EQ(flags_section(page_reports(plain)), "");
}

}  // namespace
}  // namespace mpsbench::output
