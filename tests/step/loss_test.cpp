#include "step/loss.hpp"

#include "base/error.hpp"
#include "model/training.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mpsbench::step {

namespace {

TEST(Loss, OfUndecidedLogitsIsKnown) {
  const at::Tensor zeros = at::zeros({5, 4});
  const auto cross_entropy = find_loss("cross_entropy")(zeros, at::ones({5}, at::kLong)).item<double>();
  EXPECT_NEAR(cross_entropy, std::log(4.0), 1e-6);
  const auto bce = find_loss("bce_with_logits")(zeros, at::ones({5, 4})).item<double>();
  EXPECT_NEAR(bce, std::log(2.0), 1e-6);
  EXPECT_NEAR(find_loss("mse")(zeros, at::full({5, 4}, 3.0)).item<double>(), 9.0, 1e-6);
}

TEST(Loss, EveryNameOfTheDefinitionsIsKnown) {
  for (const std::string& name : model::loss_names()) EXPECT_NO_THROW((void)find_loss(name)) << name;
  EXPECT_THROW((void)find_loss("hinge"), base::Error);
}

at::Tensor parameter_with_gradient(const at::Tensor& gradient) {
  at::Tensor parameter = at::ones({1}).set_requires_grad(true);
  parameter.mutable_grad() = gradient;
  return parameter;
}

TEST(LossScaler, TakesOffWhatItPutOn) {
  LossScaler scaler(at::kCPU);
  const double scale = scaler.scale().item<double>();
  EXPECT_EQ(scale, 65536);
  const at::Tensor parameter = parameter_with_gradient(at::full({1}, 3 * scale));
  scaler.unscale({parameter});
  EXPECT_EQ(parameter.grad().item<double>(), 3);
  EXPECT_EQ(scaler.found_infinite().item<double>(), 0);
  scaler.update();
  EXPECT_EQ(scaler.scale().item<double>(), 65536);
}

TEST(LossScaler, HalvesItsScaleAfterAGradientThatIsNotFinite) {
  LossScaler scaler(at::kCPU);
  const at::Tensor parameter = parameter_with_gradient(at::full({1}, std::numeric_limits<double>::infinity()));
  scaler.unscale({parameter});
  EXPECT_EQ(scaler.found_infinite().item<double>(), 1);
  scaler.update();
  EXPECT_EQ(scaler.scale().item<double>(), 32768);
}

}  // namespace

}  // namespace mpsbench::step
