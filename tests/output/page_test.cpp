#include "output/page/page_view.hpp"
#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::timed_case;

TEST(ToHtml, HasSentencesAndTablesWithoutItsScript) {
  const std::string text = to_html({tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)})});
  EXPECT_EQ(text.rfind("<!DOCTYPE html>", 0), 0U);
  const std::string still = text.substr(0, text.find("<script"));
  EXPECT_TRUE(contains(still, "<p id=\"answer\" aria-live=\"polite\">AMD EPYC trains 40.0 rows a second (mlp, batch"))
      << still;
  EXPECT_EQ(tests::count_of(still, "<details class=\"case\""), 2U);
  EXPECT_TRUE(contains(still, "<th scope=\"row\"><a href=\"#c1\">mlp train, batch 8</a>")) << still;
  EXPECT_TRUE(contains(still, "<td class=\"r\">200 ms ±1.0 %</td>")) << still;
  EXPECT_TRUE(contains(still, "noisy: The 95 % interval of the median")) << "flags are explained";
}

TEST(ToHtml, NamesTheUnitOfEachSpeed) {
  const std::string text = to_html({tests::paged_report({timed_case(4, 0.1), tests::generating_case(4, 0.1)})});
  EXPECT_TRUE(contains(text, "<td class=\"r\">40.00 rows/s</td>")) << text;
  EXPECT_TRUE(contains(text, "<td class=\"r\">40.00 tokens/s</td>"));
}

TEST(ToHtml, TellsOfTheMachineAndTheRun) {
  schema::Report report = tests::paged_report({timed_case(4, 0.1)});
  report.host.cpu.logical_cores = 4;
  const std::string whole = to_html({report}, {"old.json"});
  EXPECT_TRUE(contains(whole, "<dt>CPU</dt><dd>AMD EPYC, 2 cores, 4 threads</dd>")) << whole;
  EXPECT_TRUE(contains(whole, "<dt>run</dt><dd>adhoc 2026-11-21T10:02:00Z</dd>"));
  EXPECT_FALSE(contains(whole, "old.json")) << "one report needs no name";
  report.run.status = schema::RunStatus::partial;
  EXPECT_TRUE(contains(to_html({report}), "<dt>run</dt><dd>adhoc 2026-11-21T10:02:00Z (partial)</dd>"));
}

TEST(ToHtml, AllowsOnlyItsOwnStyleAndScript) {
  const std::string text = to_html({tests::exported_report()});
  EXPECT_TRUE(contains(text, "content=\"default-src 'none'; style-src 'sha256-"));
  EXPECT_TRUE(contains(text, "='; script-src 'sha256-"));
  EXPECT_TRUE(contains(text, "='; base-uri 'none'; form-action 'none'\">"));
  for (const char* part :
       {"unsafe", "<img", "<link", "@import", "url(", " src=", " style=", "javascript:", "innerHTML"})
    EXPECT_FALSE(contains(text, part)) << part;
}

TEST(ToHtml, LinksOnlyToSecurePages) {
  schema::CaseResult published = timed_case(8, 0.1, 0);
  published.published = schema::Published{"a blog", "https://example.org/a\"b", {}, "", std::nullopt, {}};
  schema::CaseResult other = timed_case(4, 0.1, 0);
  other.published = schema::Published{"a page", "javascript:alert(1)", {}, "", std::nullopt, {}};
  const std::string text = to_html({tests::paged_report({published, other})});
  EXPECT_TRUE(contains(text, "<a href=\"https://example.org/a&quot;b\" rel=\"noreferrer\">a blog</a>")) << text;
  EXPECT_TRUE(contains(text, "mpsbench: a page</p>")) << text;
  EXPECT_FALSE(contains(text, "javascript:"));
}

TEST(ToHtml, HostileNamesStayText) {
  schema::Report report = tests::hostile_report();
  report.cases[0].notes["metrics.step_seconds"] = "</script>";
  report.cases[0].spec.model += "</script><!--\xE2\x80\xA8\xE2\x80\xA9";
  const std::string text = to_html({report, tests::exported_report()});
  EXPECT_EQ(tests::count_of(text, "</script>"), 2U) << "only the page's own";
  EXPECT_FALSE(contains(text, "<!--"));
  EXPECT_FALSE(contains(text, "\xE2\x80\xA8"));
  EXPECT_FALSE(contains(text, "</a>\"'"));
  EXPECT_TRUE(contains(text, "=1+1|`&lt;/a&gt;&quot;'"));
  EXPECT_TRUE(contains(text, "=1+1|`\\u003c/a>\\\"'"));
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
    schema::CaseResult published = timed_case(8, 0.1, 0);
    published.published = schema::Published{};
    published.metrics.step_seconds.mean = number;
    published.metrics.rows_per_second = {number, std::nullopt, schema::kOfMeanStep};
    const schema::Report other = tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)}, "other");
    const std::string text = to_html({tests::paged_report({result, published}), other});
    EXPECT_FALSE(contains(text, "nan")) << number;
    EXPECT_FALSE(contains(text, ":inf")) << number;
  }
}

TEST(ToHtml, TakesReportsWithoutCases) {
  EXPECT_TRUE(contains(to_html({tests::paged_report({})}), "No case was measured."));
  EXPECT_TRUE(contains(to_html({tests::paged_report({}), tests::paged_report({}, "other")}), "No case was measured."));
}

}  // namespace
}  // namespace mpsbench::output
