#include "nn/attention.hpp"

#include "nn/network.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mpsbench::nn {
namespace {

using tests::plan_of;
using tests::vector_input;

// [batch, heads, length, size] from a vector.
at::Tensor heads_through(const nlohmann::json& layer, std::int64_t heads, std::int64_t length,
                         const at::Tensor& input) {
  const std::int64_t size = input.size(1) / (heads * length);
  const schema::NetworkPlan plan =
      plan_of(vector_input(input.size(1)),
              {{{"type", "linear"}, {"name", "some"}, {"out_features", input.size(1)}, {"bias", false}},
               {{"type", "unflatten"}, {"name", "q"}, {"dim", 1}, {"sizes", {heads, length, size}}},
               layer},
              input.size(0));
  Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  parameters.all().front().tensor.copy_(at::eye(input.size(1)));
  return Network(plan, parameters, /*training=*/false).forward({input});
}

TEST(Attention, RopeTurnsHalvesByThePosition) {
  const at::Tensor input = at::randn({1, 2 * 3 * 6});
  const at::Tensor x = input.view({1, 2, 3, 6});
  const at::Tensor y = heads_through({{"type", "rope"}, {"theta", 100}, {"size", 4}}, 2, 3, input);
  for (std::int64_t at = 0; at < 3; ++at) {
    for (std::int64_t pair = 0; pair < 2; ++pair) {
      const double angle = static_cast<double>(at) * std::pow(100.0, -2.0 * static_cast<double>(pair) / 4);
      const at::Tensor first = x.select(2, at).select(2, pair);
      const at::Tensor second = x.select(2, at).select(2, pair + 2);
      const at::Tensor turned = y.select(2, at);
      EXPECT_TRUE(at::allclose(turned.select(2, pair), first * std::cos(angle) - second * std::sin(angle)));
      EXPECT_TRUE(at::allclose(turned.select(2, pair + 2), second * std::cos(angle) + first * std::sin(angle)));
    }
  }
  EXPECT_TRUE(at::equal(y.narrow(3, 4, 2), x.narrow(3, 4, 2))) << "the rest stays";
}

TEST(Attention, AWindowLeavesOutFarKeys) {
  const at::Tensor input = at::randn({1, 2 * 5 * 4});
  const at::Tensor x = input.view({1, 2, 5, 4});
  for (const bool is_causal : {false, true}) {
    const at::Tensor y = heads_through({{"type", "scaled_dot_product_attention"},
                                        {"inputs", {"q", "q", "q"}},
                                        {"window", 2},
                                        {"is_causal", is_causal},
                                        {"scale", 0.7}},
                                       2, 5, input);
    for (std::int64_t query = 0; query < 5; ++query) {
      const std::int64_t first = std::max<std::int64_t>(0, query - 1);
      const std::int64_t last = is_causal ? query : std::min<std::int64_t>(4, query + 1);
      const at::Tensor keys = x.narrow(2, first, last - first + 1);
      const at::Tensor scores = at::matmul(keys, x.narrow(2, query, 1).transpose(2, 3)).mul(0.7).softmax(2);
      EXPECT_TRUE(at::allclose(y.select(2, query), (scores * keys).sum(2), 1e-5, 1e-6)) << query;
    }
  }
}

TEST(Attention, TrainsWithWhatAnInferenceMade) {
  const schema::NetworkPlan plan = plan_of(
      vector_input(24),
      {{{"type", "linear"}, {"name", "some"}, {"out_features", 24}},
       {{"type", "unflatten"}, {"dim", 1}, {"sizes", {1, 6, 4}}},
       {{"type", "rope"}, {"name", "q"}, {"theta", 50}},
       {{"type", "scaled_dot_product_attention"}, {"inputs", {"q", "q", "q"}}, {"window", 4}, {"is_causal", true}}},
      2);
  Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  const at::Tensor input = at::randn({2, 24});
  {
    const c10::InferenceMode inference;
    (void)Network(plan, parameters, /*training=*/false).forward({input});
  }
  parameters.require_gradients();
  EXPECT_NO_THROW(Network(plan, parameters, /*training=*/true).forward({input}).sum().backward());
}

}  // namespace
}  // namespace mpsbench::nn
