#include "nn/quantization.hpp"

#include "nn/network.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace mpsbench::nn {
namespace {

using schema::Quantization;

constexpr Quantization kInt8{.bits = 8, .group = 64};
constexpr Quantization kInt4{.bits = 4, .group = 32};

double relative(const at::Tensor& found, const at::Tensor& expected) {
  return ((found.to(at::kFloat) - expected).norm() / expected.norm()).item<double>();
}

at::Tensor weights(std::int64_t rows = 48) {
  return at::randn({rows, 64}).to(at::kBFloat16);
}

TEST(Quantization, KeepsWeightsWithinTheirSteps) {
  const at::Tensor weight = weights();
  EXPECT_LT(relative(dequantized(weight, kInt8), weight.to(at::kFloat)), 0.01);
  const double error = relative(dequantized(weight, kInt4), weight.to(at::kFloat));
  EXPECT_LT(error, 0.1);
  EXPECT_GT(error, 0.05) << "4 bits cannot do better";
}

TEST(Quantization, OfWhatFitsIsExact) {
  const at::Tensor steps = at::arange(64, at::kFloat).remainder(16).sub(8).expand({16, 64});
  const at::Tensor weight = (steps * 0.25).to(at::kBFloat16);
  EXPECT_TRUE(at::equal(dequantized(weight, kInt4), weight.to(at::kFloat)));
  const at::Tensor whole = at::arange(64, at::kFloat).sub(32).mul(4).clamp(-127, 127).expand({16, 64});
  EXPECT_TRUE(at::equal(dequantized(whole.to(at::kBFloat16), kInt8), whole.to(at::kBFloat16).to(at::kFloat)));
}

TEST(Quantization, OfZerosIsZero) {
  const at::Tensor zeros = at::zeros({16, 64}, at::kBFloat16);
  for (const Quantization& how : {kInt8, kInt4}) EXPECT_LT(dequantized(zeros, how).abs().max().item<double>(), 1e-6);
}

TEST(Quantization, ProductsAreThoseOfWhatTheNumbersStandFor) {
  const at::Tensor weight = weights();
  const at::Tensor x = at::randn({2, 3, 64}).to(at::kBFloat16);
  for (const Quantization& how : {kInt8, kInt4}) {
    const at::Tensor y = quantized_linear(x, quantize(weight, how, at::kCPU), how);
    EXPECT_EQ(y.sizes(), (at::IntArrayRef{2, 3, 48}));
    EXPECT_LT(relative(y, at::linear(x.to(at::kFloat), dequantized(weight, how))), 0.01) << how.bits;
    const at::Tensor strided = quantized_linear(x.select(1, 2), quantize(weight, how, at::kCPU), how);
    EXPECT_TRUE(at::equal(strided, y.select(1, 2))) << how.bits;
  }
}

// A linear layer from 64 to 48 numbers, stored as [in, out].
schema::NetworkPlan transposed_plan() {
  schema::NetworkPlan plan = tests::plan_of(
      tests::vector_input(64), {{{"type", "linear"}, {"name", "one"}, {"out_features", 48}, {"transposed", true}}}, 2,
      schema::Mode::infer);
  plan.nodes.front().tensors.front().quantized = kInt8;
  return plan;
}

TEST(Quantization, OfALayerWithATransposedWeightAndABias) {
  const schema::NetworkPlan plan = transposed_plan();
  Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  parameters.all().back().tensor.normal_();  // the bias
  parameters.to_type(at::kBFloat16);
  Network reference(plan, parameters.dequantized(plan), /*training=*/false);
  parameters.quantize(plan, at::kCPU);
  EXPECT_EQ(parameters.all()[1].name, "one.weight.scales");
  const at::Tensor x = at::randn({2, 64}).to(at::kBFloat16);
  const at::Tensor y = Network(plan, parameters, /*training=*/false).forward({x});
  EXPECT_LT(relative(y, reference.forward({x.to(at::kFloat)})), 0.01);
}

}  // namespace
}  // namespace mpsbench::nn
