#include "output/page.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::timed_case;

TEST(ToHtml, LinksToThePartsThatThereAre) {
  const std::string text = to_html({tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)})});
  EXPECT_EQ(text.rfind("<!DOCTYPE html>", 0), 0U);
  for (const char* part : {"cases", "batches", "details", "flags"}) {
    EXPECT_TRUE(contains(text, "<a href=\"#" + std::string(part) + "\">")) << part;
    EXPECT_TRUE(contains(text, "<section id=\"" + std::string(part) + "\"")) << part;
  }
  for (const char* part : {"verdicts", "machines", "roofline"})
    EXPECT_FALSE(contains(text, "#" + std::string(part) + "\"")) << part;
}

TEST(ToHtml, JudgesOrHoldsSideBySide) {
  schema::Report other = tests::paged_report({timed_case(4, 0.1)}, "two");
  const schema::Report report = tests::paged_report({timed_case(4, 0.1)});
  EXPECT_TRUE(contains(to_html({report, other}), "id=\"verdicts\""));
  EXPECT_FALSE(contains(to_html({report, other}), "id=\"machines\""));
  other.host.name = "elsewhere";
  EXPECT_FALSE(contains(to_html({report, other}), "id=\"verdicts\""));
  EXPECT_TRUE(contains(to_html({report, other}), "id=\"machines\""));
}

TEST(ToHtml, NeedsNothingFromElsewhereAndRunsNothing) {
  for (const schema::Report& report : {tests::exported_report(), tests::hostile_report()}) {
    const std::string text = to_html({report, tests::paged_report({timed_case(4, 0.1)})});
    EXPECT_TRUE(contains(text, "content=\"default-src 'none'; style-src 'unsafe-inline'\""));
    for (const char* part :
         {"<script", "<img", "<link", "@import", "url(", " src=", "href=\"http", "javascript:"})
      EXPECT_FALSE(contains(text, part)) << part;
  }
}

TEST(ToHtml, HostileNamesStayText) {
  const std::string text = to_html({tests::hostile_report(), tests::exported_report()});
  EXPECT_FALSE(contains(text, "</a>\"'"));
  EXPECT_TRUE(contains(text, "=1+1|`&lt;/a&gt;&quot;'"));
  EXPECT_TRUE(tests::is_harmless(text));
}

TEST(ToHtml, TakesAReportWithoutCases) {
  EXPECT_TRUE(contains(to_html({tests::paged_report({})}), "0, 0 with times"));
}

}  // namespace
}  // namespace mpsbench::output
