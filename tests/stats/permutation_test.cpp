#include "stats/permutation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mpsbench::stats {
namespace {

using Values = std::vector<double>;

// Counted by hand: there are 20 ways to share out six values evenly.
TEST(RankSum, IsExact) {
  EXPECT_DOUBLE_EQ(rank_sum_p(Values{1, 2, 3}, Values{4, 5, 6}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(rank_sum_p(Values{4, 5, 6}, Values{1, 2, 3}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(rank_sum_p(Values{1, 2, 4}, Values{3, 5, 6}), 4.0 / 20);
  EXPECT_DOUBLE_EQ(rank_sum_p(Values{1, 2}, Values{3, 4, 5, 6, 7}), 2.0 / 21);
  EXPECT_DOUBLE_EQ(rank_sum_p(Values{1, 1, 1}, Values{1, 1, 1}), 1);
  EXPECT_DOUBLE_EQ(rank_sum_p(Values{1, 1, 1}, Values{2, 2, 2}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(rank_sum_p(Values{1, 1, 2}, Values{2, 2, 2}), 8.0 / 20) << "both 1 on one side";
  EXPECT_DOUBLE_EQ(rank_sum_p(Values(50, 1), Values(50, 2)), least_rank_sum_p(50, 50)) << "too many to rank";
}

TEST(RankSum, HasALeastValue) {
  EXPECT_DOUBLE_EQ(least_rank_sum_p(2, 2), 2.0 / 6);
  EXPECT_DOUBLE_EQ(least_rank_sum_p(5, 2), 2.0 / 21);
  EXPECT_DOUBLE_EQ(least_rank_sum_p(0, 5), 1);
  EXPECT_LT(least_rank_sum_p(1000, 1000), 1e-300);
}

TEST(Sign, IsExact) {
  EXPECT_DOUBLE_EQ(sign_p(Values{1, 2, 3}), 0.25);
  EXPECT_DOUBLE_EQ(sign_p(Values{-1, -2, 0, -3}), 0.25) << "an equal pair tells nothing";
  EXPECT_DOUBLE_EQ(sign_p(Values{1, 1, 1, -1}), 10.0 / 16);
  EXPECT_DOUBLE_EQ(sign_p(Values{1, -1}), 1);
  EXPECT_DOUBLE_EQ(sign_p(Values{}), 1);
  EXPECT_DOUBLE_EQ(least_sign_p(1), 1);
  EXPECT_DOUBLE_EQ(least_sign_p(3), 0.25);
}

}  // namespace
}  // namespace mpsbench::stats
