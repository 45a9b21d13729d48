#include "output/page/page_cases.hpp"

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
