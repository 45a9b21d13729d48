#include "model/loss.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

TEST(Loss, CrossEntropyWantsClassNumbers) {
  schema::NetworkPlan plan;
  EXPECT_EQ(model::set_loss(plan, "cross_entropy", {4, 10}), "");
  EXPECT_EQ(plan.target_shape, schema::Shape{4});
  EXPECT_EQ(plan.target_dtype, "int64");
  EXPECT_EQ(plan.target_high, 10);
  EXPECT_NE(model::set_loss(plan, "cross_entropy", {4, 10, 2}), "");
}

TEST(Loss, TheOthersWantTargetsLikeTheLogits) {
  for (const char* loss : {"bce_with_logits", "mse"}) {
    schema::NetworkPlan plan;
    EXPECT_EQ(model::set_loss(plan, loss, {4, 3, 2}), "");
    EXPECT_EQ(plan.loss, loss);
    EXPECT_EQ(plan.target_shape, (schema::Shape{4, 3, 2}));
    EXPECT_EQ(plan.target_dtype, "float32");
  }
}

TEST(Loss, NamesTheKnownOnes) {
  schema::NetworkPlan plan;
  EXPECT_EQ(model::set_loss(plan, "msee", {4, 3}),
            "unknown loss 'msee' (did you mean 'mse'?); known: cross_entropy, bce_with_logits, mse, mean");
  EXPECT_EQ(model::loss_names().size(), 4U);
}

}  // namespace
}  // namespace mpsbench
