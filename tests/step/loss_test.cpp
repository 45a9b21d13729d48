#include "step/loss.hpp"

#include "base/error.hpp"
#include "model/loss.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace mpsbench::step
