#include "reference_rig.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::step {
namespace {

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
  const data::Batch used = precision == Precision::fp32 ? data::in_type(exact_batch, at::kDouble) : exact_batch;
  const auto exact = [&](nn::Model& model) {
    return std::make_unique<TrainStep>(model, used, exact_settings, nullptr);
  };
  return rig.compare({engine, rig.eager(settings), exact}, settings);
}

TEST(ComparePackage, AllowsTwiceWhatThePrecisionCosts) {
  const ReferenceRig rig;
  const TrainSettings settings = settings_of("sgd", Precision::bf16);
  const StepMaker engine = [&](nn::Model& model) {
    return std::make_unique<OtherLossStep>(rig.eager(settings)(model));
  };
  const StepComparison strict = compare_package(rig, engine, Precision::bf16, rig.batch);
  EXPECT_TRUE(strict.wrong.starts_with("the loss differs from eager's on this device by 0.03")) << strict.wrong;
  EXPECT_EQ(quantities(strict), (Quantities{Compared::output, Compared::loss, Compared::gradients}));
  // Another batch stands for a network in which rounding matters much.
  const data::Batch other = data::make_synthetic_batch(rig.plan, 2, at::kCPU);
  const StepComparison wide = compare_package(rig, engine, Precision::bf16, other);
  EXPECT_EQ(wide.wrong, "");
  EXPECT_GT(wide.checks.at(1).limit, strict.checks.at(1).limit);
}

TEST(ComparePackage, AllowsNoMissingGradient) {
  const ReferenceRig rig;
  const data::Batch other = data::make_synthetic_batch(rig.plan, 2, at::kCPU);
  ScalingHook hook(0, 2);
  const TrainSettings doubling = hooked(settings_of("sgd", Precision::bf16), hook);
  const std::string wrong = compare_package(rig, rig.eager(doubling), Precision::bf16, other).wrong;
  EXPECT_EQ(wrong,
            "the gradient of conv.weight differs from eager's on this device by 1 of its norm; the limit is 0.9");
}

// The gradient of a bias before batch normalisation is rounding only.
TEST(ComparePackage, AllowsOtherRounding) {
  const ReferenceRig rig;
  constexpr const char* kWrong = "the gradient of conv.bias ";
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double factor : {-1.0, 100.0, kNan}) {
    ScalingHook hook(1, factor);
    const TrainSettings other = hooked(settings_of("sgd", Precision::bf16), hook);
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

TEST(ComparePackage, StartsWhereRoundingStaysSmall) {
  const ReferenceRig rig(at::kCPU, deep_plan());
  const TrainSettings exact = settings_of("sgd", Precision::fp32);
  const TrainSettings settings = settings_of("sgd", Precision::bf16);
  const auto difference = [&](const StepMaker& exact_side) {
    return rig.compare({rig.eager(exact), rig.eager(settings), exact_side}, settings).checks.at(2).difference.value();
  };
  EXPECT_GT(difference(nullptr), 2 * difference(rig.eager(exact)));
}

TEST(ComparePackage, RefusesAWrongGradientInADeepNetwork) {
  const ReferenceRig rig(at::kCPU, deep_plan());
  const at::Tensor bias = rig.network.parameters().trainable().at(2);
  const auto wrong_of = [&](Precision precision, double factor) {
    ScalingHook hook(0, factor);
    const TrainSettings settings = hooked(settings_of("sgd", precision), hook);
    return compare_package(rig, rig.eager(settings), precision, rig.batch).wrong;
  };
  const auto refused = [&](Precision precision, double factor) {
    return wrong_of(precision, factor).starts_with("the gradient of conv1.weight differs ");
  };
  for (const Precision precision : {Precision::bf16, Precision::fp16}) {
    for (const double factor : {-1, 0, 2}) EXPECT_TRUE(refused(precision, factor)) << factor;
  }
  for (const double factor : {0.65, 1.35}) EXPECT_TRUE(refused(Precision::fp16, factor)) << factor;
  for (const double factor : {0.96, 1.04}) EXPECT_TRUE(refused(Precision::fp32, factor)) << factor;
  EXPECT_EQ(wrong_of(Precision::fp32, 1.02), "");
  EXPECT_TRUE(bias.eq(0).all().item<bool>()) << "the comparison changes the network";
}

// Another batch stands for a network in which rounding matters much.
TEST(ComparePackage, AllowsInFp32TwiceWhatFp64Shows) {
  const ReferenceRig rig;
  const data::Batch other = data::make_synthetic_batch(rig.plan, 2, at::kCPU);
  ScalingHook hook(0, 1.1);
  const TrainSettings settings = hooked(settings_of("sgd", Precision::fp32), hook);
  EXPECT_TRUE(compare_package(rig, rig.eager(settings), Precision::fp32, rig.batch)
                  .wrong.starts_with("the gradient of conv.weight differs "));
  const StepComparison wide = compare_package(rig, rig.eager(settings), Precision::fp32, other);
  EXPECT_EQ(wide.wrong, "");
  EXPECT_GT(wide.checks.at(2).limit, 0.2);
}

TEST(ComparePackage, RunsNoStepInFp64IfAllAgrees) {
  const ReferenceRig rig;
  const TrainSettings settings = settings_of("sgd", Precision::fp32);
  const StepMaker exact = [](nn::Model&) -> std::unique_ptr<measure::Step> {
    ADD_FAILURE();
    return nullptr;
  };
  EXPECT_EQ(rig.compare({rig.eager(settings), rig.eager(settings), exact}, settings).wrong, "");
}

TEST(ComparePackage, RefusesWhatTheUsualLimitsRefuseIfThereIsNoFp64) {
  const ReferenceRig rig;
  const TrainSettings settings = settings_of("sgd", Precision::fp32);
  ScalingHook hook(0, 1.1);
  const TrainSettings wrong = hooked(settings, hook);
  const StepMaker no_fp64 = [](nn::Model&) -> std::unique_ptr<measure::Step> {
    throw std::runtime_error("no fp64 here");
  };
  EXPECT_EQ(rig.compare({rig.eager(wrong), rig.eager(settings), no_fp64}, settings).wrong,
            "the gradient of conv.weight differs from eager's on this device by 0.1 of its norm; the limit is "
            "0.03 (fp64 could not show what rounding explains: no fp64 here)");
}

TEST(ComparePackage, SearchesConvolutionsOnlyForThePackage) {
  const ReferenceRig rig;
  const TrainSettings settings = settings_of("sgd", Precision::bf16);
  const BackendScope scope(Precision::bf16, /*search_convolutions=*/true);
  std::vector<bool> searches;
  const auto watched = [&](nn::Model& model) {
    searches.push_back(at::globalContext().benchmarkCuDNN());
    return rig.eager(settings)(model);
  };
  EXPECT_EQ(rig.compare({watched, watched, watched}, settings).wrong, "");
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
TEST(ComparePackage, LetsEagerRepeatAStepAfterAnOverflow) {
  const ReferenceRig rig;
  const TrainSettings exact = settings_of("sgd", Precision::fp32);
  const TrainSettings settings = settings_of("sgd", Precision::fp16);
  OverflowingHook hook(2);
  const TrainSettings overflowing = hooked(settings, hook);
  EXPECT_EQ(rig.compare({rig.eager(settings), rig.eager(overflowing), rig.eager(exact)}, settings).wrong, "");
}

}  // namespace
}  // namespace mpsbench::step
