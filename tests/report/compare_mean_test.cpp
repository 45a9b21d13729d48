#include "report/compare/compare_mean.hpp"

#include "report/compare/compare.hpp"
#include "support/compared.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mpsbench::report {
namespace {

using tests::compared_case;
using tests::compared_report;

std::optional<Ratio> mean_of(const std::vector<std::vector<double>>& before,
                             const std::vector<std::vector<double>>& after) {
  ComparedReport a = compared_report("a", {});
  ComparedReport b = compared_report("b", {});
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string id = "x/train/cpu/b" + std::to_string(i + 1);
    a.cases.push_back(compared_case(id, before[i]));
    b.cases.push_back(compared_case(id, after[i]));
  }
  return compare(a, b, {}).mean;
}

TEST(GeometricMean, IsOfTheCasesRatios) {
  const auto mean = mean_of({{1, 1, 1}, {1, 1, 1}}, {{2, 2, 2}, {8, 8, 8}});
  EXPECT_NEAR(mean->value, 4, 1e-12);
  EXPECT_NEAR(mean->low, 4, 1e-12);
}

// Noise that the cases of a block share does not average out over them; other noise does.
TEST(GeometricMean, TakesTheBlockForItsUnit) {
  const std::vector<double> up{1, 1.1, 1.2};
  const std::vector<double> down{1.2, 1.1, 1};
  const auto width = [](const Ratio& ratio) { return std::log(ratio.high / ratio.low); };
  const double together = width(*mean_of({up, up}, {up, up}));
  const double alone = width(*mean_of({up, down}, {up, down}));
  EXPECT_GT(together, 5 * alone);
}

TEST(GeometricMean, NeedsTwoCasesAndTwoWholeBlocks) {
  EXPECT_FALSE(mean_of({{1, 2}}, {{1, 2}}));
  EXPECT_TRUE(mean_of({{1, 2}, {1, 2, 3}}, {{1, 2}, {1, 2}}));
  EXPECT_FALSE(mean_of({{1, 2}, {1}}, {{1, 2}, {1, 2}})) << "the second has no ratio";
}

}  // namespace
}  // namespace mpsbench::report
