#include "stats/holm.hpp"

#include <gtest/gtest.h>

namespace mpsbench::stats {
namespace {

using Values = std::vector<double>;

// Holm 1979, computed by hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, and then never less than the value before.
TEST(Holm, StepsDownInOrderOfSize) {
  const Values adjusted = holm(Values{0.01, 0.04, 0.03, 0.005});
  const Values expected{0.03, 0.06, 0.06, 0.02};
  ASSERT_EQ(adjusted.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(adjusted[i], expected[i]) << i;
}

TEST(Holm, IsAtMostOne) {
  EXPECT_EQ(holm(Values{0.9, 0.8}), (Values{1, 1}));
}

TEST(Holm, OfOneTestChangesNothing) {
  EXPECT_EQ(holm(Values{0.3}), Values{0.3});
  EXPECT_TRUE(holm(Values{}).empty());
}

}  // namespace
}  // namespace mpsbench::stats
