#include "reference_rig.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
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
  other_loss.loss = find_loss("mean");
  EXPECT_TRUE(wrong_of(other_loss).starts_with("the loss differs from eager's on this device by "));
  ScalingHook hook(0, 2);
  TrainSettings other_gradients = settings;
  other_gradients.gradient_hook = &hook;
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
  const StepComparison comparison = compare_with_eager(rig.network, at::kCPU, Precision::bf16,
                                                       {engine, rig.eager(Precision::bf16)}, std::nullopt);
  EXPECT_TRUE(comparison.wrong.starts_with("the output differs from eager's on this device by "));
}

// Reports another loss than that of its step.
class OtherLossStep final : public measure::Step {
 public:
  explicit OtherLossStep(std::unique_ptr<measure::Step> inner) : inner_(std::move(inner)) {}
  void run() override { inner_->run(); }
  std::optional<double> loss() override { return 1.03 * inner_->loss().value(); }

 private:
  std::unique_ptr<measure::Step> inner_;
};

// Compares as for a package, whose kernels are other ones than eager's.
StepComparison compare_package(const ReferenceRig& rig, const StepMaker& engine, Precision precision,
                               const data::Batch& exact_batch) {
  TrainSettings settings = settings_of("sgd", precision);
  TrainSettings exact_settings = settings_of("sgd", Precision::fp32);
  const auto exact = [&](nn::Model& model) {
    return std::make_unique<TrainStep>(model, exact_batch, exact_settings, nullptr);
  };
  return compare_with_eager(rig.network, at::kCPU, precision, {engine, rig.eager(settings), exact}, settings);
}

TEST(CompareWithEager, AllowsAPackageTwiceWhatThePrecisionCosts) {
  const ReferenceRig rig;
  const TrainSettings settings = settings_of("sgd", Precision::bf16);
  const StepMaker engine = [&](nn::Model& model) {
    return std::make_unique<OtherLossStep>(rig.eager(settings)(model));
  };
  const StepComparison strict = compare_package(rig, engine, Precision::bf16, rig.batch);
  EXPECT_TRUE(strict.wrong.starts_with("the loss differs from eager's on this device by 0.03"))
      << strict.wrong;
  EXPECT_EQ(quantities(strict), (Quantities{Compared::output, Compared::loss, Compared::gradients}));
  // Another batch stands for a network in which rounding matters much.
  const data::Batch other = data::make_synthetic_batch(rig.plan, 2, at::kCPU);
  const StepComparison wide = compare_package(rig, engine, Precision::bf16, other);
  EXPECT_EQ(wide.wrong, "");
  EXPECT_GT(wide.checks.at(1).limit, strict.checks.at(1).limit);
}

TEST(CompareWithEager, AllowsAPackageNoMissingGradient) {
  const ReferenceRig rig;
  const data::Batch other = data::make_synthetic_batch(rig.plan, 2, at::kCPU);
  ScalingHook hook(0, 2);
  TrainSettings doubling = settings_of("sgd", Precision::bf16);
  doubling.gradient_hook = &hook;
  const std::string wrong = compare_package(rig, rig.eager(doubling), Precision::bf16, other).wrong;
  EXPECT_EQ(
      wrong,
      "the gradient of conv.weight differs from eager's on this device by 1 of its norm; the limit is 0.9");
}

// The gradient of a bias before batch normalisation is rounding only.
TEST(CompareWithEager, AllowsAPackageOtherRounding) {
  const ReferenceRig rig;
  constexpr const char* kWrong = "the gradient of conv.bias ";
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double factor : {-1.0, 100.0, kNan}) {
    ScalingHook hook(1, factor);
    TrainSettings other = settings_of("sgd", Precision::bf16);
    other.gradient_hook = &hook;
    EXPECT_TRUE(rig.engine(rig.eager(other), settings_of("sgd", Precision::bf16)).wrong.starts_with(kWrong));
    const std::string wrong = compare_package(rig, rig.eager(other), Precision::bf16, rig.batch).wrong;
    EXPECT_EQ(wrong.starts_with(kWrong), factor != -1) << factor << ": " << wrong;
    EXPECT_EQ(wrong.empty(), factor == -1);
  }
}

// Twelve layers, each with batch normalisation.
schema::NetworkPlan deep_plan() {
  nlohmann::json layers = nlohmann::json::array();
  for (int depth = 1; depth <= 12; ++depth) {
    const std::string number = std::to_string(depth);
    layers.push_back({{"type", "conv2d"},
                      {"name", "conv" + number},
                      {"out_channels", 8},
                      {"kernel_size", 3},
                      {"padding", 1},
                      {"bias", false}});
    layers.push_back({{"type", "batch_norm2d"}, {"name", "norm" + number}});
    layers.push_back({{"type", "relu"}});
  }
  layers.push_back({{"type", "flatten"}});
  layers.push_back({{"type", "linear"}, {"name", "last"}, {"out_features", 5}});
  return tests::plan_of(tests::image_input(3, 8), layers, 16);
}

TEST(CompareWithEager, StartsAPackageWhereRoundingStaysSmall) {
  const ReferenceRig rig(at::kCPU, deep_plan());
  const TrainSettings exact = settings_of("sgd", Precision::fp32);
  const TrainSettings settings = settings_of("sgd", Precision::bf16);
  const auto difference = [&](const StepMaker& exact_side) {
    return compare_with_eager(rig.network, at::kCPU, Precision::bf16,
                              {rig.eager(exact), rig.eager(settings), exact_side}, settings)
        .checks.at(2)
        .difference.value();
  };
  EXPECT_GT(difference(nullptr), 2 * difference(rig.eager(exact)));
}

TEST(CompareWithEager, RefusesAPackageWithAWrongGradientInADeepNetwork) {
  const ReferenceRig rig(at::kCPU, deep_plan());
  const at::Tensor bias = rig.network.parameters().trainable().at(2);
  const auto wrong_of = [&](Precision precision, double factor) {
    ScalingHook hook(0, factor);
    TrainSettings settings = settings_of("sgd", precision);
    settings.gradient_hook = &hook;
    return compare_package(rig, rig.eager(settings), precision, rig.batch).wrong;
  };
  const auto refused = [&](Precision precision, double factor) {
    return wrong_of(precision, factor).starts_with("the gradient of conv1.weight differs ");
  };
  for (const Precision precision : {Precision::bf16, Precision::fp16}) {
    for (const double factor : {-1, 0, 2}) EXPECT_TRUE(refused(precision, factor)) << factor;
  }
  for (const double factor : {0.65, 1.35}) EXPECT_TRUE(refused(Precision::fp16, factor)) << factor;
  EXPECT_TRUE(bias.eq(0).all().item<bool>()) << "the comparison changes the network";
}

TEST(CompareWithEager, SearchesConvolutionsOnlyForThePackage) {
  const ReferenceRig rig;
  const TrainSettings settings = settings_of("sgd", Precision::bf16);
  const BackendScope scope(Precision::bf16, /*search_convolutions=*/true);
  std::vector<bool> searches;
  const auto watched = [&](nn::Model& model) {
    searches.push_back(at::globalContext().benchmarkCuDNN());
    return rig.eager(settings)(model);
  };
  EXPECT_EQ(
      compare_with_eager(rig.network, at::kCPU, Precision::bf16, {watched, watched, watched}, settings).wrong,
      "");
  EXPECT_EQ(searches, (std::vector<bool>{true, false, false}));
  EXPECT_TRUE(at::globalContext().benchmarkCuDNN());
}

// The gradients of its first COUNT steps overflow.
class OverflowingHook final : public GradientHook {
 public:
  explicit OverflowingHook(int count) : left_(count) {}
  void apply(const std::vector<at::Tensor>& parameters) override {
    if (left_-- > 0) parameters.at(0).grad().fill_(std::numeric_limits<float>::infinity());
  }

 private:
  int left_;
};

// A package may keep in fp32 what eager rounds to fp16, so only eager's step may have to be repeated.
TEST(CompareWithEager, LetsEagerRepeatAStepAfterAnOverflow) {
  const ReferenceRig rig;
  const TrainSettings exact = settings_of("sgd", Precision::fp32);
  const TrainSettings settings = settings_of("sgd", Precision::fp16);
  OverflowingHook hook(2);
  TrainSettings overflowing = settings;
  overflowing.gradient_hook = &hook;
  EXPECT_EQ(compare_with_eager(rig.network, at::kCPU, Precision::fp16,
                               {rig.eager(settings), rig.eager(overflowing), rig.eager(exact)}, settings)
                .wrong,
            "");
}

TEST(CompareWithEager, PassesGraphsOnCuda) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  const ReferenceRig rig(device);
  for (const char* optimizer : {"sgd", "adamw", "none"}) {
    for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16}) {
      const TrainSettings settings = std::string(optimizer) == "none" ? settings_of(optimizer, precision, {})
                                                                      : settings_of(optimizer, precision);
      EXPECT_EQ(rig.train(settings).wrong, "") << optimizer;
      EXPECT_EQ(rig.engine(rig.graph(rig.eager(settings)), settings).wrong, "") << optimizer;
    }
  }
  const ReferenceRig infer(device, image_plan(), /*training=*/false);
  const StepMaker eager = infer.eager(Precision::fp32);
  EXPECT_EQ(
      compare_with_eager(infer.network, device, Precision::fp32, {infer.graph(eager), eager}, std::nullopt)
          .wrong,
      "");
}

TEST(CompareWithEager, RefusesAWrongGraphOnCuda) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const ReferenceRig rig(c10::Device(c10::kCUDA, 0));
  const TrainSettings settings = settings_of("sgd", Precision::bf16);
  ScalingHook hook(0, 2);
  TrainSettings wrong = settings;
  wrong.gradient_hook = &hook;
  EXPECT_TRUE(
      rig.engine(rig.graph(rig.eager(wrong)), settings).wrong.starts_with("the gradient of conv.weight"));
}

}  // namespace
}  // namespace mpsbench::step
