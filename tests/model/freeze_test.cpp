#include "model/freeze.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mpsbench {
namespace {

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

TEST(FreezeBackbone, LeavesTheLastLayerOfAnImageNetwork) {
  schema::NetworkPlan plan = tests::plan_of(tests::load_model("resnet18"), 1);
  model::freeze_backbone(plan);
  EXPECT_EQ(trainable_names(plan), (std::set<std::string>{"fc.weight", "fc.bias"}));
  EXPECT_EQ(plan.trainable_parameters, 512 * 1000 + 1000);
}

}  // namespace
}  // namespace mpsbench
