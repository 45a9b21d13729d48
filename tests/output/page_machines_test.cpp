#include "output/page/page_machines.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::timed_case;

TEST(MachinesSection, MarksTheBestAndDrawsSpeeds) {
  std::vector<schema::Report> reports{tests::paged_report({timed_case(4, 0.1), timed_case(8, 0.2)}, "a"),
                                      tests::paged_report({timed_case(4, 0.4)}, "b")};
  reports[1].host.name = "slow-one";
  const std::string text = machines_section(page_reports(reports));
  EXPECT_TRUE(contains(text, "<th scope=\"col\">A cpu</th><th scope=\"col\">B cpu</th>")) << text;
  EXPECT_EQ(tests::count_of(text, ">best<"), 1U) << text;
  EXPECT_TRUE(contains(text, "width:100%")) << text;
  EXPECT_TRUE(contains(text, "width:25%")) << text;
  EXPECT_TRUE(contains(text, "0.250×")) << text;
}

TEST(MachinesSection, TellsOfSpeedUpsAndCrossovers) {
  schema::CaseResult fast = timed_case(4, 0.01);
  fast.spec.device = "cuda";
  fast.id = "mlp/train/cuda/b4/fp32/eager/synthetic";
  const std::vector<schema::Report> reports{tests::paged_report({timed_case(4, 0.1), fast})};
  const std::string text = machines_section(page_reports(reports));
  EXPECT_TRUE(contains(text, "10.0×")) << text;
  EXPECT_TRUE(contains(text, "crossover: 4")) << text;
}

TEST(MachinesSection, NeedsTwoDevices) {
  const std::vector<schema::Report> reports{tests::paged_report({timed_case(4, 0.1)})};
  EXPECT_EQ(machines_section(page_reports(reports)), "");
}

}  // namespace
}  // namespace mpsbench::output
