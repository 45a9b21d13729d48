#include "stats/significance.hpp"

#include <gtest/gtest.h>

#include <limits>
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

// python -c "from scipy import stats; r = stats.ttest_ind([.15, .19, .10], [.10, .13, .11, .12],
// equal_var=False); print(r.df, r.pvalue, r.confidence_interval(.95))"; scipy_test.py compares many more
// cases with SciPy.
TEST(Welch, AgreesWithSciPy) {
  const auto difference = welch(Values{0.10, 0.13, 0.11, 0.12}, Values{0.15, 0.19, 0.10});
  EXPECT_NEAR(difference->estimate, 0.031666666666666635, 1e-12);
  EXPECT_NEAR(difference->standard_error, 0.026822461565718467, 1e-12);
  EXPECT_NEAR(difference->freedom, 2.2477968032704485, 1e-9);
  EXPECT_NEAR(difference->p_value(), 0.3475721577750307, 1e-9);
  EXPECT_NEAR(difference->half_width(0.95), 0.10403360424624242, 1e-9);
}

// python -c "from scipy import stats; r = stats.ttest_1samp([.05, .02, .03, .04], 0); print(r.statistic,
// r.df, r.pvalue, r.confidence_interval(.95))"
TEST(OfPairs, AgreesWithSciPy) {
  const auto difference = of_pairs(Values{0.05, 0.02, 0.03, 0.04});
  EXPECT_NEAR(difference->estimate, 0.035, 1e-12);
  EXPECT_EQ(difference->freedom, 3);
  EXPECT_NEAR(difference->p_value(), 0.012307551821486276, 1e-9);
  EXPECT_NEAR(difference->half_width(0.95), 0.020542602567605206, 1e-9);
  EXPECT_FALSE(of_pairs(Values{0.05}));
  EXPECT_FALSE(of_pairs(Values{0.05, std::numeric_limits<double>::infinity()}));
}

TEST(Welch, NeedsTwoFiniteValuesASide) {
  const Values a{1, 1.2, 1.1};
  const Values b{1.4, 1.3};
  EXPECT_DOUBLE_EQ(welch(a, b)->estimate, -welch(b, a)->estimate);
  EXPECT_DOUBLE_EQ(welch(a, b)->p_value(), welch(b, a)->p_value());
  EXPECT_FALSE(welch(Values{1}, b));
  EXPECT_FALSE(welch(b, Values{}));
  EXPECT_FALSE(welch(b, Values{1, std::numeric_limits<double>::infinity()}));
}

TEST(Welch, WithoutSpreadAnyDifferenceIsCertain) {
  const auto none = welch(Values{2, 2}, Values{2, 2, 2});
  EXPECT_EQ(none->half_width(0.95), 0);
  EXPECT_EQ(none->p_value(), 1);
  EXPECT_EQ(welch(Values{2, 2}, Values{3, 3})->p_value(), 0);
  EXPECT_DOUBLE_EQ(welch(Values{2, 2, 2}, Values{1, 2, 3, 4})->freedom, 3) << "that of the other side";
}

// Holm 1979, computed by hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, and then never less than the value before.
TEST(Holm, StepsDownInOrderOfSize) {
  const Values adjusted = holm(Values{0.01, 0.04, 0.03, 0.005});
  const Values expected{0.03, 0.06, 0.06, 0.02};
  ASSERT_EQ(adjusted.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(adjusted[i], expected[i]) << i;
  EXPECT_EQ(holm(Values{0.9, 0.8}), (Values{1, 1})) << "at most 1";
  EXPECT_EQ(holm(Values{0.3}), Values{0.3});
  EXPECT_TRUE(holm(Values{}).empty());
}

}  // namespace

}  // namespace mpsbench::stats
