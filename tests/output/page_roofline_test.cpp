#include "output/page/page_roofline.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;

// Returns a network of 36 weights on the CPU, with 1e9 FLOP/s under a roof of 1e10.
schema::Report roofed_report() {
  schema::CaseResult result = tests::timed_case(64, 0.1);
  result.spec.mode = schema::Mode::infer;
  result.metrics.flops_per_step = 100'000'000;
  result.metrics.flops_per_second = 1e9;
  schema::Report report = tests::paged_report({result});
  report.host.ceilings = {{"cpu", 2, "2026-11-21T10:02:03Z", {{"fp32", 1e10}, {"bf16", 2e10}}, 1e9}};
  return report;
}

TEST(RooflineSection, DrawsTheRoofOfThePrecisionAndTheCases) {
  const std::vector<schema::Report> reports{roofed_report()};
  const std::string text = roofline_section(page_reports(reports));
  EXPECT_TRUE(contains(text, "cpu, threads: 2, memory 1 GB/s")) << text;
  EXPECT_TRUE(contains(text, "fp32 10 GFLOP/s")) << text;
  EXPECT_FALSE(contains(text, "bf16")) << "no case has this precision";
  EXPECT_EQ(tests::count_of(text, "class=\"roof\""), 1U);
  EXPECT_TRUE(contains(text, "<title>mlp/train/cpu/b64: 10 % of its roof</title>")) << text;
  EXPECT_TRUE(contains(text, "<td class=\"r\">10 %</td>")) << text;
}

TEST(RooflineSection, BendsWhereMemoryIsTheLimit) {
  std::vector<schema::Report> reports{roofed_report()};
  // 36 weights and 64 x 8 inputs of 4 bytes each make 2,192 bytes.
  reports[0].cases[0].metrics.flops_per_step = 2 * 2192;
  const std::string text = roofline_section(page_reports(reports));
  EXPECT_TRUE(contains(text, "<td class=\"r\">2</td><td class=\"r\">1 G</td><td class=\"r\">50 %</td>"))
      << text;
}

TEST(RooflineSection, NeedsACeilingARateAndADefinition) {
  std::vector<schema::Report> reports{roofed_report()};
  reports[0].cases[0].spec.threads = 3;
  EXPECT_EQ(roofline_section(page_reports(reports)), "") << "the ceiling was measured with 2 threads";
  reports[0] = roofed_report();
  reports[0].cases[0].metrics.flops_per_second.reset();
  EXPECT_EQ(roofline_section(page_reports(reports)), "");
  reports[0] = roofed_report();
  reports[0].run.definitions.clear();
  EXPECT_EQ(roofline_section(page_reports(reports)), "");
}

}  // namespace
}  // namespace mpsbench::output
