#include "output/page/page_speeds.hpp"

#include "output/page/page_glance.hpp"
#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::timed_case;

schema::Report host(const std::string& name, std::vector<schema::CaseResult> cases) {
  schema::Report report = tests::paged_report(std::move(cases), name);
  report.host.name = report.host.cpu.model = name;
  return report;
}

schema::CaseResult on_cuda(schema::CaseResult result) {
  result.spec.device = "cuda";
  result.id = "mlp/train/cuda/b" + std::to_string(result.spec.batch_size) + "/fp32/eager/synthetic";
  return result;
}

std::string glance(const PageReports& page) {
  return glance_section(page, rated_cases(page), page_speeds(page));
}

TEST(PageSpeeds, ComparesWithTheFirstReportsFastestDevice) {
  const std::vector<schema::Report> reports{host("one", {timed_case(4, 0.4), on_cuda(timed_case(4, 0.1))}),
                                            host("two", {timed_case(4, 0.2)})};
  const PageReports page = page_reports(reports);
  const auto speeds = page_speeds(page);
  ASSERT_TRUE(speeds);
  EXPECT_EQ(page.machines.columns[speeds->base].device, schema::DeviceId("cuda"));
  ASSERT_EQ(speeds->speeds.size(), 2U);
  EXPECT_NEAR(speeds->speeds[0].speed.value, 0.25, 1e-9);
  EXPECT_NEAR(speeds->speeds[1].speed.value, 0.5, 1e-9);
  SeriesNames names;
  const std::string text = speeds_section(page, *speeds, names);
  EXPECT_TRUE(contains(text, "Speeds compared with A one cuda</figcaption>")) << text;
  EXPECT_TRUE(contains(text, ">B two cpu</text>")) << text;
  EXPECT_TRUE(contains(text, ">0.500× ±")) << text;
  EXPECT_TRUE(contains(text, "class=\"zero\"")) << text;
}

TEST(PageSpeeds, PassesOverAReportThatSharesLittle) {
  const std::vector<schema::Report> reports{
      host("one", {timed_case(16, 0.1)}), host("two", {timed_case(4, 0.1), timed_case(16, 0.2)}),
      host("three", {timed_case(4, 0.1)}), host("four", {timed_case(4, 0.1)})};
  const PageReports page = page_reports(reports);
  const auto speeds = page_speeds(page);
  ASSERT_TRUE(speeds);
  EXPECT_EQ(page.machines.columns[speeds->base].report, &page.compared[1]) << "one of three is too little";
  EXPECT_TRUE(contains(glance(page), "2.0 times as fast as B in the one shared case (95 % interval"))
      << glance(page);
}

TEST(PageSpeeds, ComparesWithTheCpuOfASingleMachine) {
  const std::vector<schema::Report> reports{host("one", {on_cuda(timed_case(4, 0.1)), timed_case(4, 0.4)})};
  const PageReports page = page_reports(reports);
  const auto speeds = page_speeds(page);
  ASSERT_TRUE(speeds);
  EXPECT_EQ(page.machines.columns[speeds->base].device, schema::DeviceId("cpu"));
  EXPECT_NEAR(speeds->speeds.at(0).speed.value, 4, 1e-9);
}

TEST(PageSpeeds, NeedsSharedWork) {
  const std::vector<schema::Report> reports{host("one", {timed_case(4, 0.1)}),
                                            host("two", {timed_case(8, 0.1)})};
  EXPECT_FALSE(page_speeds(page_reports(reports)));
}

TEST(GlanceSection, HasTheFastestRateOfEachReportAndItsSpeed) {
  const std::vector<schema::Report> reports{
      host("one", {timed_case(4, 0.4), timed_case(8, 0.8), on_cuda(timed_case(4, 0.1)),
                   on_cuda(timed_case(8, 0.1))}),
      host("two", {timed_case(4, 0.2), timed_case(8, 0.5)}), host("three", {tests::unmeasured_case()})};
  const std::string text = glance(page_reports(reports));
  EXPECT_TRUE(contains(text, "<h2>A one cuda</h2><p class=\"big\">80.00 <small>rows/s ±1.0 %</small>"))
      << text;
  EXPECT_TRUE(contains(text,
                       "cuda: 6.0 times as fast as the CPU in the median of 2 shared cases (range of the "
                       "cases: 4.00× … 8.00×)"))
      << text;
  EXPECT_TRUE(contains(text, "<h2>B two cpu</h2><p class=\"big\">20.00 ")) << text;
  EXPECT_TRUE(
      contains(text,
               "0.35 times as fast as A's fastest device in the median of 2 shared cases (range of the "
               "cases: 0.200× … 0.500×)"))
      << text;
  EXPECT_TRUE(contains(text, "<h2>C three</h2><p>No case in common with A</p>")) << text;
}

TEST(GlanceSection, HasNoRateOfACaseThatDivergedOrFailed) {
  schema::CaseResult diverged = on_cuda(timed_case(4, 0.1));
  diverged.flags = {"diverged"};
  schema::CaseResult failed = on_cuda(timed_case(4, 0.1));
  failed.status = schema::Status::timeout;
  const std::vector<schema::Report> reports{host("one", {timed_case(4, 0.2), diverged}),
                                            host("two", {timed_case(4, 0.4), failed})};
  const std::string text = glance(page_reports(reports));
  EXPECT_TRUE(contains(text, "<h2>A one cpu</h2><p class=\"big\">20.00 ")) << text;
  EXPECT_TRUE(contains(text, "<h2>B two cpu</h2><p class=\"big\">10.00 ")) << text;
}

TEST(GlanceSection, ShowsTimesFarFromOneAsBounds) {
  const std::vector<schema::Report> reports{host("one", {timed_case(4, 1e-6), timed_case(8, 1)}),
                                            host("two", {timed_case(4, 1), timed_case(8, 1e-6)})};
  EXPECT_TRUE(contains(glance(page_reports(reports)), "cases: &lt;0.001× … &gt;1000×)"));
}

}  // namespace
}  // namespace mpsbench::output
