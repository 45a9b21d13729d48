#include "step/precision.hpp"

#include "base/error.hpp"
#include "support/scratch.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

namespace mpsbench::step {
namespace {

at::ScalarType type_of_product() {
  const at::Tensor a = at::ones({4, 4});
  return at::mm(a, a).scalar_type();
}

TEST(Precision, IsNotLeftToNvidiasOverride) {
  EXPECT_NO_THROW(require_own_precision());
  const tests::ScopedVariable set("NVIDIA_TF32_OVERRIDE", "1");
  EXPECT_THROW(require_own_precision(), base::Error);
}

TEST(BackendScope, RestoresTheSwitches) {
  const BackendScope outer(Precision::tf32, true);
  const auto before = read_backend(Precision::fp32, at::kCUDA);
  {
    const BackendScope inner(Precision::fp32, false);
    auto inside = read_backend(Precision::fp32, at::kCUDA);
    EXPECT_EQ(inside["matmul"] + inside["convolution"] + inside["cudnn_benchmark"], "ieeeieeeoff");
  }
  EXPECT_EQ(read_backend(Precision::fp32, at::kCUDA), before);
  EXPECT_EQ(before.at("matmul") + before.at("convolution") + before.at("cudnn_benchmark"), "tf32tf32on");
}

TEST(PrecisionScope, CastsInsideOnly) {
  {
    const PrecisionScope scope(Precision::bf16, at::kCPU);
    EXPECT_EQ(type_of_product(), at::kBFloat16);
  }
  EXPECT_EQ(type_of_product(), at::kFloat);
}

TEST(PrecisionScope, OfFp32ChangesNothing) {
  const PrecisionScope scope(Precision::fp32, at::kCPU);
  EXPECT_EQ(type_of_product(), at::kFloat);
}

// If a cached cast outlived its scope, an update of the weight would have no effect.
TEST(PrecisionScope, ForgetsCastsOfWeights) {
  const at::Tensor weight = at::ones({4, 4}).set_requires_grad(true);
  const at::Tensor input = at::ones({4, 4});
  for (const float expected : {4.0F, 8.0F}) {
    {
      const PrecisionScope scope(Precision::bf16, at::kCPU);
      EXPECT_EQ(at::mm(input, weight)[0][0].item<float>(), expected);
    }
    const at::NoGradGuard no_grad;
    weight.mul_(2);
  }
}

}  // namespace
}  // namespace mpsbench::step
