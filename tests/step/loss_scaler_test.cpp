#include "step/loss_scaler.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

namespace mpsbench::step {
namespace {

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
  const at::Tensor parameter =
      parameter_with_gradient(at::full({1}, std::numeric_limits<double>::infinity()));
  scaler.unscale({parameter});
  EXPECT_EQ(scaler.found_infinite().item<double>(), 1);
  scaler.update();
  EXPECT_EQ(scaler.scale().item<double>(), 32768);
}

}  // namespace
}  // namespace mpsbench::step
