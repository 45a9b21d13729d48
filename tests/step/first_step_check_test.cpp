#include "step/first_step_check.hpp"

#include "model/training.hpp"
#include "reference_rig.hpp"
#include "support/errors.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace mpsbench::step {
namespace {

TEST(CompareWithEager, PassesTheSameStep) {
  const ReferenceRig rig;
  for (const char* optimizer : {"sgd", "adamw"}) {
    for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16}) {
      const TrainSettings settings = settings_of(optimizer, precision);
      const StepComparison comparison = rig.engine(rig.eager(settings), settings);
      EXPECT_EQ(comparison.wrong, "");
      EXPECT_EQ(quantities(comparison), kOfTraining);
      EXPECT_EQ(comparison.checks.at(0).reference, schema::Reference::eager);
    }
  }
  const ReferenceRig infer(at::kCPU, image_plan(), /*training=*/false);
  const StepMaker eager = infer.eager(Precision::fp32);
  const StepComparison comparison =
      compare_with_eager(infer.network, at::kCPU, Precision::fp32, {eager, eager}, std::nullopt);
  EXPECT_EQ(comparison.wrong, "");
  EXPECT_EQ(quantities(comparison), kOfInference);
}

// An engine with steps of preparation, each of which changes the weights.
class PreparedStep final : public measure::Step {
 public:
  explicit PreparedStep(std::unique_ptr<measure::Step> eager) : eager_(std::move(eager)) {}
  void run() override { eager_->run(); }
  std::optional<double> loss() override { return eager_->loss(); }
  [[nodiscard]] std::int64_t preparation_steps() const override { return 3; }

 private:
  std::unique_ptr<measure::Step> eager_;
};

TEST(CompareWithEager, ComparesTheFirstStepAfterAnEnginesPreparation) {
  const ReferenceRig rig;
  for (const char* optimizer : {"sgd", "adam", "none"}) {
    const TrainSettings settings = std::string(optimizer) == "none"
                                       ? settings_of(optimizer, Precision::fp32, {})
                                       : settings_of(optimizer, Precision::fp32, {{"lr", 0.5}});
    const StepMaker eager = rig.eager(settings);
    const auto prepared = [&](nn::Model& model) { return std::make_unique<PreparedStep>(eager(model)); };
    EXPECT_EQ(rig.engine(prepared, settings).wrong, "") << optimizer;
  }
}

TEST(CompareWithEager, NamesWhatAWrongEngineComputes) {
  const ReferenceRig rig;
  const TrainSettings settings = settings_of("sgd", Precision::fp32);
  const auto wrong_of = [&](const TrainSettings& of_engine) {
    return rig.engine(rig.eager(of_engine), settings).wrong;
  };
  TrainSettings other_loss = settings;
  other_loss.spec.loss = "mean";
  EXPECT_TRUE(wrong_of(other_loss).starts_with("the loss differs from eager's on this device by "));
  ScalingHook hook(0, 2);
  const TrainSettings other_gradients = hooked(settings, hook);
  EXPECT_EQ(wrong_of(other_gradients),
            "the gradient of conv.weight differs from eager's on this device by 1 of its norm; the limit is "
            "0.001");
  const std::string update = wrong_of(settings_of("sgd", Precision::fp32, {{"lr", 0.1}}));
  EXPECT_TRUE(update.starts_with("the update of ")) << update;
}

TEST(CompareWithEager, SeesAnotherOutput) {
  const ReferenceRig rig(at::kCPU, image_plan(), /*training=*/false);
  const data::Batch other = data::make_synthetic_batch(rig.plan, 2, at::kCPU);
  const auto engine = [&](nn::Model& model) {
    return std::make_unique<InferStep>(model, other, Precision::bf16, Gradients::none, nullptr);
  };
  const StepComparison comparison =
      compare_with_eager(rig.network, at::kCPU, Precision::bf16, {engine, rig.eager(Precision::bf16)}, std::nullopt);
  EXPECT_TRUE(comparison.wrong.starts_with("the output differs from eager's on this device by "));
}

TEST(CompareWithEager, PassesGraphsOnCuda) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  const ReferenceRig rig(device);
  for (const char* optimizer : {"sgd", "adamw", "none"}) {
    for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16}) {
      const TrainSettings settings =
          std::string(optimizer) == "none" ? settings_of(optimizer, precision, {}) : settings_of(optimizer, precision);
      EXPECT_EQ(rig.train(settings).wrong, "") << optimizer;
      EXPECT_EQ(rig.engine(rig.graph(rig.eager(settings)), settings).wrong, "") << optimizer;
    }
  }
  const ReferenceRig infer(device, image_plan(), /*training=*/false);
  const StepMaker eager = infer.eager(Precision::fp32);
  EXPECT_EQ(compare_with_eager(infer.network, device, Precision::fp32, {infer.graph(eager), eager}, std::nullopt).wrong,
            "");
}

TEST(CompareWithEager, RefusesAWrongGraphOnCuda) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const ReferenceRig rig(c10::Device(c10::kCUDA, 0));
  const TrainSettings settings = settings_of("sgd", Precision::bf16);
  ScalingHook hook(0, 2);
  const TrainSettings wrong = hooked(settings, hook);
  EXPECT_TRUE(rig.engine(rig.graph(rig.eager(wrong)), settings).wrong.starts_with("the gradient of conv.weight"));
}

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
  const auto differences = [&](Precision precision) { return rig.train(settings_of("sgd", precision)).checks; };
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
    const TrainSettings settings = hooked(settings_of("sgd", precision), hook);
    const StepComparison comparison = rig.train(settings);
    EXPECT_TRUE(comparison.wrong.starts_with("the gradient of conv.weight differs from the CPU's in fp32 by "))
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
  EXPECT_EQ(quantities(rig.train(settings)), (Quantities{Compared::output, Compared::loss, Compared::gradients}));
}

// Meta tensors take the place of GPU tensors here.
TEST(RequireOnDevice, NamesTheTensorThatLiesElsewhere) {
  const ReferenceRig rig;
  const c10::Device other(at::kMeta);
  const auto refusal = [&](const data::Batch& batch, const nn::Parameters& parameters) {
    return tests::usage_error_of([&] { require_on_device(rig.plan, batch, parameters, at::kCPU); });
  };
  const nn::Parameters& parameters = rig.network.parameters();
  EXPECT_NO_THROW(require_on_device(rig.plan, rig.batch, parameters, at::kCPU));
  EXPECT_EQ(
      refusal({{rig.batch.inputs[0].to(other)}, rig.batch.target}, parameters),
      "input '" + rig.plan.inputs[0].name + "' is on meta, but the step runs on cpu; move the tensor there first");
  EXPECT_TRUE(refusal({rig.batch.inputs, rig.batch.target.to(other)}, parameters).starts_with("the target is on meta"));
  EXPECT_TRUE(refusal(rig.batch, nn::Parameters::draw(rig.plan, 1, other))
                  .starts_with("'" + parameters.all()[0].name + "' is on meta"));
}

}  // namespace
}  // namespace mpsbench::step
