#include "output/page/page_distribution.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using Samples = std::vector<double>;

TEST(DistributionChart, HasAHistogramAndAMedianALaunch) {
  const Samples one = tests::steady_samples(0.1, 101);
  const Samples other = tests::steady_samples(0.12, 101);
  const std::string svg = distribution_chart({{"1", one}, {"2", {}}, {"3", other}}, "time per step");
  EXPECT_EQ(tests::count_of(svg, "class=\"fill\""), 2U) << svg;
  EXPECT_EQ(tests::count_of(svg, "class=\"median\""), 2U) << svg;
  for (const char* words : {">100 ms</text>", ">120 ms</text>", ">3</text>", "time per step"})
    EXPECT_TRUE(tests::contains(svg, words)) << words;
}

TEST(DistributionChart, IsEmptyWithoutSamples) {
  EXPECT_EQ(distribution_chart({}, "x"), "");
  EXPECT_EQ(distribution_chart({{"1", {}}}, "x"), "");
}

TEST(DistributionChart, TakesAnyNumbers) {
  const Samples hostile{0, -1, 1e300, 5e-324, -1e300};
  EXPECT_FALSE(tests::contains(distribution_chart({{"1", hostile}}, "x"), "nan"));
  const Samples equal(100, 0.25);
  EXPECT_TRUE(tests::contains(distribution_chart({{"1", equal}}, "x"), "250 ms"));
}

}  // namespace
}  // namespace mpsbench::output
