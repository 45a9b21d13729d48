#include "model/training.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace mpsbench {

namespace {

TEST(Loss, CrossEntropyWantsClassNumbers) {
  schema::NetworkPlan plan;
  EXPECT_EQ(model::set_loss(plan, "cross_entropy", {4, 10}), "");
  EXPECT_EQ(plan.target_shape, schema::Shape{4});
  EXPECT_EQ(plan.target_dtype, schema::DType::int64);
  EXPECT_EQ(plan.target_high, 10);
  EXPECT_NE(model::set_loss(plan, "cross_entropy", {4, 10, 2}), "");
  EXPECT_EQ(model::set_loss(plan, "cross_entropy", {4, 10, 5, 6}), "");
  EXPECT_EQ(plan.target_shape, (schema::Shape{4, 5, 6})) << "of pixels";
  EXPECT_EQ(plan.target_high, 10);
}

TEST(Loss, OfTokensWantsAClassNumberForEach) {
  for (const char* loss : {"token_cross_entropy", "next_token_cross_entropy"}) {
    schema::NetworkPlan plan;
    EXPECT_EQ(model::set_loss(plan, loss, {4, 6, 30}), "");
    EXPECT_EQ(plan.target_shape, (schema::Shape{4, 6}));
    EXPECT_EQ(plan.target_dtype, schema::DType::int64);
    EXPECT_EQ(plan.target_high, 30);
    EXPECT_NE(model::set_loss(plan, loss, {4, 30}), "");
  }
  schema::NetworkPlan plan;
  EXPECT_EQ(model::set_loss(plan, "token_cross_entropy", {4, 1, 30}), "");
  EXPECT_NE(model::set_loss(plan, "next_token_cross_entropy", {4, 1, 30}), "") << "no token follows";
}

TEST(Loss, TheOthersWantTargetsLikeTheLogits) {
  for (const char* loss : {"bce_with_logits", "mse"}) {
    schema::NetworkPlan plan;
    EXPECT_EQ(model::set_loss(plan, loss, {4, 3, 2}), "");
    EXPECT_EQ(plan.loss, loss);
    EXPECT_EQ(plan.target_shape, (schema::Shape{4, 3, 2}));
    EXPECT_EQ(plan.target_dtype, schema::DType::float32);
  }
}

TEST(Loss, NamesTheKnownOnes) {
  schema::NetworkPlan plan;
  EXPECT_EQ(model::set_loss(plan, "msee", {4, 3}),
            "unknown loss 'msee' (did you mean 'mse'?); known: cross_entropy, token_cross_entropy, "
            "next_token_cross_entropy, bce_with_logits, mse, mean");
  EXPECT_EQ(model::loss_names().size(), 6U);
}

using Settings = std::map<std::string, double>;

std::string problem(const std::string& name, const Settings& settings) {
  return tests::error_of([&] { (void)model::complete_optimizer(name, settings); });
}

// The defaults of torch.optim.
TEST(Optimizer, FillsInDefaults) {
  EXPECT_EQ(model::complete_optimizer("sgd", {{"lr", 0.1}}).settings,
            (Settings{{"lr", 0.1}, {"momentum", 0}, {"weight_decay", 0}, {"dampening", 0}, {"nesterov", 0}}));
  EXPECT_EQ(
      model::complete_optimizer("adam", {}).settings,
      (Settings{{"lr", 1e-3}, {"beta1", 0.9}, {"beta2", 0.999}, {"eps", 1e-8}, {"weight_decay", 0}, {"amsgrad", 0}}));
  EXPECT_EQ(model::complete_optimizer("adamw", {}).settings.at("weight_decay"), 1e-2);
}

TEST(Optimizer, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(problem("adamww", {}), "unknown optimizer 'adamww' (did you mean 'adamw'?); known: sgd, adam, adamw, none");
  EXPECT_EQ(problem("sgd", {{"momentun", 0.9}}),
            "the optimizer sgd has no setting 'momentun' (did you mean 'momentum'?)");
  EXPECT_NE(problem("sgd", {{"lr", -1}}), "");
  EXPECT_NE(problem("sgd", {{"lr", std::numeric_limits<double>::quiet_NaN()}}), "");
  EXPECT_NE(problem("adam", {{"beta1", 1}}), "");
  EXPECT_EQ(problem("adam", {{"amsgrad", 0.5}}), "the optimizer setting 'amsgrad' must be 0 or 1");
  EXPECT_NE(problem("sgd", {{"nesterov", 1}}), "");
  EXPECT_EQ(problem("sgd", {{"nesterov", 1}, {"momentum", 0.9}}), "");
}

TEST(Optimizer, ReadsSwitchesBothWays) {
  for (const char* text : {R"({"name": "adam", "amsgrad": true})", R"({"name": "adam", "amsgrad": 1})"}) {
    const tests::json document = tests::json::parse(text);
    EXPECT_EQ(model::read_optimizer(base::Reader(document, "f")).settings.at("amsgrad"), 1);
  }
}

std::set<std::string> trainable_names(const schema::NetworkPlan& plan) {
  std::set<std::string> names;
  for (const schema::NetworkNode& node : plan.nodes) {
    for (const schema::NetworkTensor& tensor : node.tensors) {
      if (tensor.trainable) names.insert(tensor.name);
    }
  }
  return names;
}

TEST(FreezeBackbone, LeavesBertsClassifier) {
  schema::NetworkPlan plan = tests::plan_of(tests::load_model("bert-base"), 2);
  const std::int64_t forward = plan.forward_macs;
  model::freeze_backbone(plan);
  EXPECT_EQ(trainable_names(plan), (std::set<std::string>{"classifier.weight", "classifier.bias"}));
  EXPECT_EQ(plan.trainable_parameters, 4614);
  EXPECT_EQ(plan.parameters, 109'486'854);
  EXPECT_EQ(plan.forward_macs, forward);
  EXPECT_EQ(plan.backward_macs, 2 * 768 * 6);  // only the gradient of the weights
}

TEST(FreezeBackbone, LeavesTheTensorThatTheLastLayerShares) {
  schema::NetworkPlan plan = tests::plan_of(tests::load_model("smollm2-135m"), 1);
  model::freeze_backbone(plan);
  EXPECT_EQ(trainable_names(plan), std::set<std::string>{"model.embed_tokens.weight"});
  EXPECT_EQ(plan.trainable_parameters, 49152 * 576);
}

TEST(FreezeBackbone, LeavesTheLastLayerOfAnImageNetwork) {
  schema::NetworkPlan plan = tests::plan_of(tests::load_model("resnet18"), 1);
  model::freeze_backbone(plan);
  EXPECT_EQ(trainable_names(plan), (std::set<std::string>{"fc.weight", "fc.bias"}));
  EXPECT_EQ(plan.trainable_parameters, 512 * 1000 + 1000);
}

}  // namespace

}  // namespace mpsbench
