#include "model/freeze.hpp"
#include "reference_rig.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace mpsbench::step {
namespace {

TEST(CompareWithCpu, PassesWhatPrecisionExplains) {
  const ReferenceRig rig;
  for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16}) {
    EXPECT_EQ(rig.infer(precision).wrong, "");
    EXPECT_EQ(quantities(rig.infer(precision)), kOfInference);
    for (const char* optimizer : {"sgd", "adam", "adamw"}) {
      const StepComparison comparison = rig.train(settings_of(optimizer, precision));
      EXPECT_EQ(comparison.wrong, "") << optimizer;
      EXPECT_EQ(quantities(comparison), kOfTraining);
    }
  }
}

TEST(CompareWithCpu, SeesThatPrecisionsDiffer) {
  const ReferenceRig rig;
  const auto differences = [&](Precision precision) {
    return rig.train(settings_of("sgd", precision)).checks;
  };
  for (std::size_t i = 0; i < 3; ++i) {  // not the weights: both sides update from the same gradients
    EXPECT_EQ(differences(Precision::fp32).at(i).difference, 0) << i;
    EXPECT_GT(differences(Precision::bf16).at(i).difference, 0) << i;
  }
}

TEST(CompareWithCpu, LeavesTheNetworkAsItIs) {
  ReferenceRig rig;
  std::vector<at::Tensor> before;
  for (const nn::NamedTensor& one : rig.network.parameters().all()) before.push_back(one.tensor.clone());
  EXPECT_EQ(rig.train(settings_of("sgd", Precision::fp32)).wrong, "");
  const TrainSettings settings = settings_of("sgd", Precision::fp32);
  EXPECT_EQ(rig.engine(rig.eager(settings), settings).wrong, "");
  for (std::size_t i = 0; i < before.size(); ++i) {
    const nn::NamedTensor& one = rig.network.parameters().all()[i];
    EXPECT_TRUE(one.tensor.equal(before[i])) << one.name;
    EXPECT_FALSE(one.tensor.requires_grad()) << one.name;
  }
}

TEST(CompareWithCpu, RefusesWhatIsNotANumber) {
  const ReferenceRig rig;
  rig.batch.inputs[0].narrow(0, 0, 1).fill_(std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(rig.infer(Precision::fp32).wrong, "the output is not finite, or the CPU's in fp32 is not");
  EXPECT_FALSE(rig.infer(Precision::fp32).checks.at(0).difference);
}

TEST(CompareWithCpu, LooksAtASingleRowToo) {
  ReferenceRig rig;
  rig.batch = data::first_rows(rig.batch, 1);
  EXPECT_EQ(rig.train(settings_of("sgd", Precision::bf16)).wrong, "");
}

TEST(CompareWithCpu, NamesAWrongGradient) {
  const ReferenceRig rig;
  for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16}) {
    ScalingHook hook(0, 2);
    TrainSettings settings = settings_of("sgd", precision);
    settings.gradient_hook = &hook;
    const StepComparison comparison = rig.train(settings);
    EXPECT_TRUE(
        comparison.wrong.starts_with("the gradient of conv.weight differs from the CPU's in fp32 by "))
        << comparison.wrong;
    EXPECT_GT(comparison.checks.at(2).difference, 0.8);
  }
}

// The reference has no loss scaling. So this sees a loss scale that stays in the gradients, and gradients
// that are too large for fp16 at the first scale.
TEST(CompareWithCpu, OfFp16WaitsForTheScaleThatFits) {
  schema::NetworkPlan plan = tests::small_mlp(4);
  const ReferenceRig rig(at::kCPU, plan);
  rig.batch.inputs[0].mul_(30);  // the gradients of the first weights times 65536 overflow
  const StepComparison comparison = rig.train(settings_of("sgd", Precision::fp16));
  EXPECT_EQ(comparison.wrong, "");
}

TEST(CompareWithCpu, ComparesOnlyWhatTrains) {
  schema::NetworkPlan plan = tests::small_mlp(4);
  model::freeze_backbone(plan);
  const ReferenceRig rig(at::kCPU, plan);
  EXPECT_EQ(rig.train(settings_of("adam", Precision::bf16)).wrong, "");
  const TrainSettings settings = settings_of("none", Precision::fp32, {});
  EXPECT_EQ(quantities(rig.train(settings)),
            (Quantities{Compared::output, Compared::loss, Compared::gradients}));
}

}  // namespace
}  // namespace mpsbench::step
