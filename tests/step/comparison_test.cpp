#include "step/comparison.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>

namespace mpsbench::step {
namespace {

constexpr Limits kLimits{0.01, 0.01, 0.01, 0.01};

// One training step of parameters "a", with large gradients, and "b", with GRADIENT_OF_B.
struct ComparisonRig {
  explicit ComparisonRig(float gradient_of_b = 1)
      : start({{"a", at::ones({4})}, {"buffer", at::ones({2}), false}, {"b", at::ones({4})}}) {
    expected.output = at::ones({2, 3});
    expected.loss = 2;
    expected.gradients = {{"a", at::full({4}, 1.0F)}, {"b", at::full({4}, gradient_of_b)}};
    expected.weights = {{"a", at::full({4}, 0.9F)}, {"b", at::full({4}, 0.9F)}};
    found = {expected.output.clone(),
             expected.loss,
             {{"a", expected.gradients[0].tensor.clone()}, {"b", expected.gradients[1].tensor.clone()}},
             {{"a", expected.weights[0].tensor.clone()}, {"b", expected.weights[1].tensor.clone()}}};
  }

  [[nodiscard]] StepComparison compared() const {
    return compare(schema::Reference::cpu, found, expected, start, kLimits);
  }

  nn::Parameters start;
  StepResults expected, found;
};

TEST(Compare, EqualResultsAgree) {
  const StepComparison comparison = ComparisonRig().compared();
  EXPECT_EQ(comparison.wrong, "");
  ASSERT_EQ(comparison.checks.size(), 4U);
  for (const schema::AgreementCheck& check : comparison.checks) {
    EXPECT_EQ(check.difference, 0);
    EXPECT_EQ(check.limit, 0.01);
  }
}

TEST(Compare, FiguresAreRelative) {
  ComparisonRig rig;
  rig.found.output[0][0] = 1.5;
  rig.found.loss = 2.5;
  rig.found.gradients[1].tensor.mul_(1.25);
  rig.found.weights[1].tensor.fill_(0.85);
  const StepComparison comparison = rig.compared();
  EXPECT_NEAR(comparison.checks.at(0).difference.value(), 0.5, 1e-5);
  EXPECT_NEAR(comparison.checks.at(1).difference.value(), 0.25, 1e-5);
  EXPECT_NEAR(comparison.checks.at(2).difference.value(), 0.25, 1e-5);
  EXPECT_NEAR(comparison.checks.at(3).difference.value(), 0.5, 1e-5);
  EXPECT_EQ(comparison.wrong,
            "the output differs from the CPU's in fp32 by 0.5 of its largest value; the limit is 0.01");
}

TEST(Compare, NamesTheWorstParameter) {
  ComparisonRig rig;
  rig.found.gradients[0].tensor.mul_(1.1);
  rig.found.gradients[1].tensor.mul_(1.2);
  EXPECT_EQ(rig.compared().wrong,
            "the gradient of b differs from the CPU's in fp32 by 0.2 of its norm; the limit is 0.01");
  ComparisonRig other;
  other.found.weights[0].tensor.fill_(0.8);
  EXPECT_EQ(other.compared().wrong,
            "the update of a differs from the CPU's in fp32 by 1 of its norm; the limit is 0.01");
}

TEST(Compare, WhatIsNotANumberIsWrong) {
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    ComparisonRig rig;
    rig.found.gradients[0].tensor[1] = value;
    rig.found.gradients[1].tensor.mul_(2);
    EXPECT_EQ(rig.compared().wrong, "the gradient of a is not finite, or the CPU's in fp32 is not");
    EXPECT_FALSE(rig.compared().checks.at(2).difference);
    EXPECT_FALSE(agrees(rig.compared().checks.at(2)));
  }
}

TEST(Compare, NothingIsRelativeToZero) {
  ComparisonRig rig;
  rig.expected.output.zero_();
  EXPECT_EQ(rig.compared().wrong, "the output is not zero, but the CPU's in fp32 is");
  EXPECT_FALSE(rig.compared().checks.at(0).difference);
}

TEST(Compare, AMissingSmallGradientIsWrong) {
  ComparisonRig rig(0.005F);
  rig.found.gradients[1].tensor.zero_();
  EXPECT_EQ(rig.compared().wrong,
            "the gradient of b differs from the CPU's in fp32 by 1 of its norm; the limit is 0.01");
  ComparisonRig smaller(0.0005F);
  smaller.found.gradients[1].tensor.zero_();
  EXPECT_EQ(smaller.compared().wrong,
            "the gradient of b differs from the CPU's in fp32 by 0.5 of a thousandth of the largest norm; the "
            "limit is 0.01");
}

TEST(Compare, RoundingOfWeightsIsNoDifference) {
  ComparisonRig rig;
  rig.expected.weights[0].tensor.fill_(1 + 0x1p-22F);  // a change of two last digits
  rig.found.weights[0].tensor.fill_(1 + 0x1p-23F);
  EXPECT_EQ(rig.compared().wrong, "");
}

TEST(Compare, AGradientThatIsOnlyRoundingIsNotRelativeToItself) {
  ComparisonRig rig(1e-6F);
  rig.found.gradients[1].tensor.neg_();
  rig.found.weights[1].tensor.fill_(1.1F);  // Adam, with the other sign
  EXPECT_EQ(rig.compared().wrong, "");
}

TEST(Compare, OfALossNearZeroIsRelativeToTheOutput) {
  ComparisonRig rig;
  rig.expected.loss = 1e-9;
  rig.found.loss = 2e-9;
  EXPECT_EQ(rig.compared().wrong, "");
}

struct RoundingRig : ComparisonRig {
  // EXACTLY is the norm of b's gradient in fp32.
  explicit RoundingRig(float exactly) : ComparisonRig(0.02F), exact(expected) {
    exact.gradients[1].tensor = at::full({4}, exactly / 2);
  }

  // Returns whether the gradient of b was removed, and that of a stays.
  bool removes() {
    remove_rounding(found, expected, exact);
    const std::size_t left = exact.gradients.size();
    EXPECT_EQ(found.gradients.size(), left);
    EXPECT_EQ(expected.gradients.size(), left);
    EXPECT_EQ(exact.gradients.at(0).name, "a");
    return left == 1;
  }

  StepResults exact;
};

TEST(RemoveRounding, RemovesWhatFp32ShowsToBeZero) {
  EXPECT_TRUE(RoundingRig(0).removes());
  EXPECT_TRUE(RoundingRig(1e-3F).removes());
  EXPECT_FALSE(RoundingRig(3e-3F).removes());  // a small gradient: above a thousandth of that of a
  RoundingRig small(1e-3F);
  small.expected.gradients[1].tensor.mul_(0.1);  // EXACT has more than a tenth
  EXPECT_FALSE(small.removes());
}

TEST(RemoveRounding, KeepsWhatRoundingDoesNotExplain) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float factor : {2.1F, kInfinity, kNan}) {
    RoundingRig package(0);
    package.found.gradients[1].tensor.mul_(factor);
    EXPECT_FALSE(package.removes()) << factor;
    EXPECT_TRUE(package.compared().wrong.starts_with("the gradient of b ")) << factor;
  }
  for (const float value : {kInfinity, kNan}) {
    RoundingRig eager(0);
    eager.expected.gradients[1].tensor[0] = value;
    EXPECT_FALSE(eager.removes()) << value;
    RoundingRig exact(value);
    EXPECT_FALSE(exact.removes()) << value;
    RoundingRig largest(0);
    largest.exact.gradients[0].tensor[0] = value;
    EXPECT_FALSE(largest.removes()) << value;
  }
}

}  // namespace
}  // namespace mpsbench::step
