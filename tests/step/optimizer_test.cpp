#include "step/optimizer.hpp"

#include "base/error.hpp"
#include "model/training.hpp"
#include "step/train_step.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mpsbench::step {
namespace {

at::Tensor scalar_parameter(double value) {
  return at::full({1}, value, at::kFloat).set_requires_grad(true);
}

// Updates one parameter with the gradients 1, 2 and 3 and returns its final value.
double after_three_updates(const std::string& name, const std::map<std::string, double>& settings) {
  at::Tensor parameter = scalar_parameter(1);
  const Update update = make_optimizer(model::complete_optimizer(name, settings), {parameter});
  const at::NoGradGuard no_grad;
  for (const double gradient : {1.0, 2.0, 3.0}) {
    parameter.mutable_grad() = at::full({1}, gradient, at::kFloat);
    update(std::nullopt);
  }
  return parameter.item<double>();
}

// Computes the update rule of Kingma and Ba, in double precision.
double adam_by_hand(double lr, double decay, bool decoupled) {
  double w = 1;
  double m = 0;
  double v = 0;
  for (int t = 1; t <= 3; ++t) {
    double g = t;
    if (decoupled) {
      w -= lr * decay * w;
    } else {
      g += decay * w;
    }
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    w -= lr * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
  return w;
}

TEST(Optimizer, FollowsItsRule) {
  EXPECT_NEAR(after_three_updates("sgd", {{"lr", 0.1}}), 1 - 0.1 * 6, 1e-6);
  // The momentum buffer is 1, then 0.9 + 2 = 2.9, then 2.61 + 3 = 5.61.
  EXPECT_NEAR(after_three_updates("sgd", {{"lr", 0.1}, {"momentum", 0.9}}), 1 - 0.1 * (1 + 2.9 + 5.61), 1e-6);
  EXPECT_NEAR(after_three_updates("adam", {{"lr", 0.01}, {"weight_decay", 0.1}}), adam_by_hand(0.01, 0.1, false), 1e-6);
  EXPECT_NEAR(after_three_updates("adamw", {{"lr", 0.01}, {"weight_decay", 0.1}}), adam_by_hand(0.01, 0.1, true), 1e-6);
}

// An update with non-finite gradients changes nothing: the next update is like a first one.
void expect_skip(const std::string& name, const std::function<Update(Update)>& device) {
  at::Tensor spared = scalar_parameter(1);
  at::Tensor plain = scalar_parameter(1);
  const Update spared_update = device(make_optimizer(model::complete_optimizer(name, {}), {spared}));
  const Update plain_update = make_optimizer(model::complete_optimizer(name, {}), {plain});
  const at::NoGradGuard no_grad;
  for (at::Tensor& parameter : {std::ref(spared), std::ref(plain)}) parameter.mutable_grad() = at::ones({1});
  spared_update(at::ones({}));
  EXPECT_EQ(spared.item<double>(), 1) << name;
  spared_update(at::zeros({}));
  plain_update(std::nullopt);
  EXPECT_NEAR(spared.item<double>(), plain.item<double>(), 1e-7) << name;
}

TEST(Optimizer, ChangesNothingWhenAGradientIsNotFinite) {
  for (const std::string& name : model::optimizer_names()) expect_skip(name, [](Update update) { return update; });
}

// Behaves as on MPS up to LibTorch 2.12.
TEST(Optimizer, ChangesNothingWhereTheFusedOperatorsIgnoreOverflow) {
  const auto ignoring = [](Update update) -> Update {
    return [update = std::move(update)](const std::optional<at::Tensor>&) { update(std::nullopt); };
  };
  for (const std::string& name : model::optimizer_names())
    expect_skip(name, [&](Update update) { return skipped_by_host(ignoring(std::move(update))); });
}

TEST(Optimizer, LeavesParametersWithoutGradientAlone) {
  for (const std::string& name : model::optimizer_names()) {
    at::Tensor graded = scalar_parameter(1);
    at::Tensor frozen = scalar_parameter(1);
    const Update update = make_optimizer(model::complete_optimizer(name, {}), {frozen, graded});
    const at::NoGradGuard no_grad;
    graded.mutable_grad() = at::ones({1});
    update(std::nullopt);
    EXPECT_EQ(graded.item<double>() == 1, name == "none") << name;
    EXPECT_EQ(frozen.item<double>(), 1) << name;
  }
}

TEST(Optimizer, RefusesAnUnknownName) {
  EXPECT_THROW((void)make_optimizer({"lion", {}}, {}), base::Error);
}

Loss loss_of(const std::string& name) {
  schema::CaseSpec spec;
  spec.loss = name;
  return find_loss(spec);
}

TEST(Loss, OfUndecidedLogitsIsKnown) {
  const at::Tensor zeros = at::zeros({5, 4});
  const auto cross_entropy = loss_of("cross_entropy")(zeros, at::ones({5}, at::kLong)).item<double>();
  EXPECT_NEAR(cross_entropy, std::log(4.0), 1e-6);
  const auto bce = loss_of("bce_with_logits")(zeros, at::ones({5, 4})).item<double>();
  EXPECT_NEAR(bce, std::log(2.0), 1e-6);
  EXPECT_NEAR(loss_of("mse")(zeros, at::full({5, 4}, 3.0)).item<double>(), 9.0, 1e-6);
}

TEST(Loss, OfTokensIsTheMeanOverThem) {
  const at::Tensor logits = at::randn({2, 4, 7});
  const at::Tensor target = at::randint(0, 7, {2, 4}, at::kLong);
  const auto usual = [](const at::Tensor& rows, const at::Tensor& classes) {
    return at::cross_entropy_loss(rows.flatten(0, 1), classes.flatten());
  };
  EXPECT_TRUE(at::allclose(loss_of("token_cross_entropy")(logits, target), usual(logits, target)));
  EXPECT_TRUE(at::allclose(loss_of("next_token_cross_entropy")(logits, target),
                           usual(logits.narrow(1, 0, 3), target.narrow(1, 1, 3))));
}

TEST(Loss, EveryNameOfTheDefinitionsIsKnown) {
  for (const std::string& name : model::loss_names()) EXPECT_NO_THROW((void)loss_of(name)) << name;
  EXPECT_THROW((void)loss_of("hinge"), base::Error);
}

TEST(LossScaler, TakesOffWhatItPutOnAndHalvesItAfterAGradientThatIsNotFinite) {
  LossScaler scaler(at::kCPU);
  const double scale = scaler.scale().item<double>();
  EXPECT_EQ(scale, 65536);
  at::Tensor parameter = scalar_parameter(1);
  parameter.mutable_grad() = at::full({1}, 3 * scale, at::kFloat);
  scaler.unscale({parameter});
  EXPECT_EQ(parameter.grad().item<double>(), 3);
  EXPECT_EQ(scaler.found_infinite().item<double>(), 0);
  scaler.update();
  EXPECT_EQ(scaler.scale().item<double>(), 65536);
  parameter.mutable_grad().fill_(std::numeric_limits<double>::infinity());
  scaler.unscale({parameter});
  EXPECT_EQ(scaler.found_infinite().item<double>(), 1);
  scaler.update();
  EXPECT_EQ(scaler.scale().item<double>(), 32768);
}

}  // namespace
}  // namespace mpsbench::step
