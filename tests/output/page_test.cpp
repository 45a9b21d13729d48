#include "output/page/page.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

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
  EXPECT_TRUE(contains(to_html({report, other}), "<title>mpsbench: epyc-0a1b</title>"));
  other.host.name = "elsewhere";
  EXPECT_FALSE(contains(to_html({report, other}), "id=\"verdicts\""));
  EXPECT_TRUE(contains(to_html({report, other}), "id=\"machines\""));
  EXPECT_TRUE(contains(to_html({report, other}), "<title>mpsbench: epyc-0a1b and elsewhere</title>"));
}

TEST(ToHtml, OpensWithFiguresOrWithChartsIfThereAreManyReports) {
  const std::vector<schema::Report> few(2, tests::paged_report({timed_case(4, 0.1)}));
  const std::vector<schema::Report> many(7, tests::paged_report({timed_case(4, 0.1)}));
  for (const auto& [reports, first, second] : {std::tuple(few, "id=\"glance\"", "id=\"rates\""),
                                               std::tuple(many, "id=\"rates\"", "id=\"glance\"")}) {
    const std::string text = to_html(reports);
    EXPECT_LT(text.find(first), text.find(second));
    EXPECT_LT(text.find(second), text.find("id=\"hosts\""));
    EXPECT_EQ(tests::count_of(text, "id=\"glance\""), 1U);
  }
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

TEST(ToHtml, TakesAnyNumbersThatAReportCanHold) {
  schema::CaseResult result = timed_case(4, 0.1, 2);
  for (const double number : {0.0, -1.0, 5e-324, 1e308, -1e308}) {
    const double time = std::clamp(number, 0.0, schema::kMostSeconds);
    result.launches[0].samples_seconds = {time, schema::kMostSeconds, time, 0};
    result.launches[0].warmup_samples_seconds = {time};
    result.launches[0].first_step_seconds = time;
    result.launches[0].sensors = {{"gpu_clock", "Hz", number, number, number}};
    result.launches[1].index = std::numeric_limits<std::int64_t>::max();
    result.metrics.step_seconds.median = result.metrics.step_seconds.mean = number;
    result.metrics.step_seconds.ci95 = schema::Interval{-std::abs(number), std::abs(number)};
    result.metrics.rows_per_second = {number, schema::Interval{-std::abs(number), std::abs(number)}};
    result.metrics.flops_per_second = number;
    result.metrics.flops_per_step = 1;
    schema::CaseResult published = timed_case(8, 0.1, 0);
    published.published = schema::Published{};
    published.metrics.step_seconds.mean = number;
    published.metrics.rows_per_second = {number, std::nullopt, schema::kOfMeanStep};
    schema::Report report = tests::paged_report({result, published});
    const double rate = std::max(number, 5e-324);
    report.host.ceilings = {{"cpu", 2, "", {{"fp32", rate}}, rate}};
    schema::Report other = tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)}, "other");
    const std::string text = to_html({report, other});
    EXPECT_FALSE(contains(text, "nan")) << number;
    EXPECT_FALSE(contains(text, ":inf")) << number;
  }
}

TEST(ToHtml, TakesAReportWithoutCases) {
  EXPECT_TRUE(contains(to_html({tests::paged_report({})}), "0, 0 with times"));
}

}  // namespace
}  // namespace mpsbench::output
