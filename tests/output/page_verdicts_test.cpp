#include "output/page/page_verdicts.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::timed_case;

std::string section(const std::vector<schema::Report>& reports) {
  return verdicts_section(page_reports(reports));
}

TEST(VerdictsSection, JudgesAsCompareDoes) {
  const std::string text = section({tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)}, "old"),
                                    tests::paged_report({timed_case(4, 0.11), timed_case(8, 0.2)}, "new")});
  EXPECT_TRUE(contains(text, "1 case of 2 is slower by more than 2 %: mlp/train/cpu/b4.")) << text;
  EXPECT_TRUE(contains(text, "<td><span class=\"bad\">slower</span></td>")) << text;
  EXPECT_TRUE(contains(text, "<td>same</td>")) << text;
  EXPECT_TRUE(contains(text, "+10.0 %")) << text;
  EXPECT_EQ(tests::count_of(text, "<svg"), 3U) << "one per case, one for the mean";
}

TEST(VerdictsSection, JudgesWhatTheNewerRunAskedFor) {
  std::vector<schema::Report> reports{tests::paged_report({timed_case(4, 0.1)}, "old"),
                                      tests::paged_report({timed_case(4, 0.1)}, "new")};
  reports[1].run.planned.resize(1);
  reports[1].run.planned[0].id = reports[1].cases[0].id;
  reports[1].run.planned[0].gate_on = {{schema::GatedMetric::step, std::nullopt},
                                       {schema::GatedMetric::peak_memory, 0.01}};
  for (schema::Report& report : reports) {
    for (schema::Launch& launch : report.cases[0].launches) launch.peak_device_bytes = 1000;
  }
  for (schema::Launch& launch : reports[1].cases[0].launches) launch.peak_device_bytes = 1020;
  const std::string text = section(reports);
  EXPECT_TRUE(contains(text, "The peak memory of 1 case of 1 is larger by more than 1 %")) << text;
  EXPECT_TRUE(contains(text, "<td><span class=\"bad\">larger</span></td>")) << text;
  EXPECT_TRUE(contains(text, "Changes from A to B")) << text;
}

TEST(VerdictsSection, SaysWhyReportsCannotBeCompared) {
  std::vector<schema::Report> reports{tests::paged_report({timed_case(4, 0.1)}, "old"),
                                      tests::paged_report({timed_case(4, 0.1)}, "new")};
  reports[1].cases[0].definition_sha256 = "another";
  const std::string text = section(reports);
  EXPECT_TRUE(contains(text, "cannot be compared")) << text;
  EXPECT_FALSE(contains(text, "<td>same")) << text;
}

TEST(VerdictsSection, IsOfTwoRunsOfOneMachine) {
  const schema::Report report = tests::paged_report({timed_case(4, 0.1)});
  EXPECT_EQ(section({report}), "");
  EXPECT_EQ(section({report, report}), "") << "the same run";
  schema::Report other = tests::paged_report({timed_case(4, 0.1)}, "other");
  EXPECT_NE(section({report, other}), "");
  other.host.name = "elsewhere";
  EXPECT_EQ(section({report, other}), "");
}

}  // namespace
}  // namespace mpsbench::output
