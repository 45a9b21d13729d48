#include "output/page/page_rates.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::count_of;
using tests::timed_case;

std::string rates_of(const std::vector<schema::Report>& reports) {
  const PageReports page = page_reports(reports);
  SeriesNames names;
  return rates_section(page, rated_cases(page), names);
}

schema::CaseResult of_network(const std::string& model, double seconds) {
  schema::CaseResult result = timed_case(4, seconds);
  result.spec.model = model;
  result.id = model + "/train/cpu/b4/fp32/eager/synthetic";
  return result;
}

TEST(RateOf, IsTheReportsOwn) {
  schema::CaseResult result = timed_case(4, 0.1);
  result.metrics.rows_per_second = {39.0, schema::Interval{38, 41}, schema::kOfEpochs};
  const auto rate = rate_of(result);
  ASSERT_TRUE(rate && rate->ci95);
  EXPECT_EQ(rate->value, 39);
  EXPECT_EQ(rate->ci95->low, 38);
  EXPECT_EQ(rate->ci95->high, 41);
  EXPECT_FALSE(rate_of(tests::unmeasured_case()));
}

TEST(RatedCases, HasOfEachSeriesTheFastestBatchSize) {
  const std::vector<schema::Report> reports{
      tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.15), timed_case(64, 8)})};
  const RatedCases rated = rated_cases(page_reports(reports));
  ASSERT_EQ(rated.groups.size(), 1U);
  ASSERT_EQ(rated.groups[0].cases.size(), 1U);
  EXPECT_EQ(rated.groups[0].cases[0].number, 1U);
  EXPECT_EQ(rated.other_batches, 2U);
}

TEST(RatedCases, BeginsWithWhatMostReportsHave) {
  const std::vector<schema::Report> reports{
      tests::paged_report({of_network("alone", 0.1), of_network("shared", 0.2)}, "one"),
      tests::paged_report({of_network("shared", 0.1)}, "two")};
  const RatedCases rated = rated_cases(page_reports(reports));
  ASSERT_EQ(rated.groups.size(), 2U);
  EXPECT_EQ(rated.groups[0].model, "shared");
  EXPECT_EQ(rated.groups[0].cases[0].report, 1U) << "the fastest first";
}

TEST(RatesSection, DrawsModesApart) {
  schema::CaseResult infer = timed_case(4, 0.05);
  infer.spec.mode = schema::Mode::infer;
  infer.id = "mlp/infer/cpu/b4/fp32/eager/synthetic";
  const std::string text = rates_of({tests::paged_report({timed_case(4, 0.1), infer})});
  EXPECT_EQ(count_of(text, "<figure>"), 2U) << text;
  EXPECT_TRUE(contains(text, "<figcaption>Rows per second, train</figcaption>")) << text;
  EXPECT_TRUE(contains(text, ">40.00 ±1.0 %</text>")) << text;
  EXPECT_TRUE(contains(text, ">80.00 ±1.0 %</text>")) << text;
  EXPECT_TRUE(contains(text, ">rows per second</text>")) << text;
  EXPECT_TRUE(contains(text, "2 of 2 cases are drawn.")) << text;
}

TEST(RatesSection, MarksWhatIsNotOfTheMedianStep) {
  schema::CaseResult result = timed_case(4, 0.1);
  result.metrics.rows_per_second = {39.0, schema::Interval{38, 42}, schema::kOfEpochs};
  const std::string text = rates_of({tests::paged_report({result})});
  EXPECT_TRUE(contains(text, "39.00 −2.6 % +7.7 % (epochs)</title>")) << text;
}

TEST(RatesSection, CountsEveryCaseThatItDoesNotDraw) {
  std::vector<schema::CaseResult> cases{timed_case(4, 0.1), timed_case(8, 0.3), tests::unmeasured_case()};
  schema::CaseResult other = of_network("other", 1);
  other.published = schema::Published{};
  other.metrics.step_seconds.mean = 1;
  for (const schema::Caution& caution : schema::cautions()) {
    if (caution.other_work) other.published->cautions = {caution.name};
  }
  cases.push_back(other);
  for (std::size_t at = 0; at < 26; ++at) cases.push_back(of_network("network" + std::to_string(at), 0.1));
  const std::string text = rates_of({tests::paged_report(cases)});
  EXPECT_EQ(count_of(text, "<g><title>"), 15U) << text;
  EXPECT_TRUE(
      contains(text,
               "15 of 30 cases are drawn. Not drawn: other batch sizes than the fastest (1), only in the "
               "tables (12), published figures of other work than their names say (1), without a time (1)."))
      << text;
  EXPECT_TRUE(contains(text, "<li>mlp/train/cpu/b128: out of memory (needs 2 GiB, 1 free)</li>")) << text;
}

TEST(RatesSection, CutsALargeGroupToItsFastest) {
  std::vector<schema::CaseResult> cases;
  for (int threads = 1; threads <= 40; ++threads) {
    cases.push_back(timed_case(4, 0.1 / threads));
    cases.back().id += "+threads=" + std::to_string(threads);
  }
  const std::string text = rates_of({tests::paged_report(cases)});
  EXPECT_TRUE(contains(text, "29 of 40 cases are drawn. Not drawn: only in the tables (11).")) << text;
  EXPECT_TRUE(contains(text, "cpu · threads=40</text>")) << text;
  EXPECT_FALSE(contains(text, "threads=11</text>")) << text;
}

TEST(RatesSection, NeedsATime) {
  EXPECT_EQ(rates_of({tests::paged_report({tests::unmeasured_case()})}), "");
}

}  // namespace
}  // namespace mpsbench::output
