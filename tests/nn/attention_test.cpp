#include "nn/attention.hpp"

#include "nn/network.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

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

// The bias [heads, queries, keys] that LAYER reads for a tensor of SHAPE from a table, whose row r has r + 100 h for
// head h.
at::Tensor bias_of(nlohmann::json layer, const std::vector<std::int64_t>& shape, std::int64_t rows, std::int64_t heads,
                   std::int64_t length) {
  layer["inputs"] = {"table", "x"};
  const std::int64_t size = c10::multiply_integers(shape);
  const schema::NetworkPlan plan = plan_of(vector_input(size),
                                           {{{"type", "unflatten"}, {"name", "x"}, {"dim", 1}, {"sizes", shape}},
                                            {{"type", "parameter"}, {"name", "table"}, {"shape", {rows, heads}}},
                                            layer,
                                            {{"type", "flatten"}}},
                                           1);
  Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  parameters.all().front().tensor.copy_(at::arange(rows).unsqueeze(1) + 100 * at::arange(heads));
  return Network(plan, parameters, /*training=*/false).forward({at::zeros({1, size})}).view({-1, length, length});
}

TEST(Attention, FarDistancesShareABias) {
  const std::int64_t row_of_distance[] = {0, 1, 2, 3, 3, 3};
  for (const bool is_causal : {false, true}) {
    const at::Tensor bias = bias_of({{"type", "relative_position_bias"}, {"max_distance", 4}, {"is_causal", is_causal}},
                                    {6, 1}, is_causal ? 4 : 8, 2, 6);
    for (std::int64_t query = 0; query < 6; ++query) {
      for (std::int64_t key = 0; key < 6; ++key) {
        const std::int64_t row = row_of_distance[std::abs(key - query)] + (key > query ? 4 : 0);
        const double expected =
            is_causal && key > query ? -std::numeric_limits<double>::infinity() : static_cast<double>(100 + row);
        EXPECT_EQ(bias[1][query][key].item<double>(), expected) << query << " " << key;
      }
    }
  }
}

TEST(Attention, AWindowHasABiasForEachDistanceAndASeam) {
  // Two windows of 2x3, one below the other. The last row of the second one came from the top.
  const at::Tensor bias = bias_of({{"type", "window_position_bias"}, {"shift", {1, 0}}}, {2, 1, 2, 3}, 15, 2, 6);
  for (std::int64_t window = 0; window < 2; ++window) {
    for (std::int64_t query = 0; query < 6; ++query) {
      for (std::int64_t key = 0; key < 6; ++key) {
        const std::int64_t down = query / 3 - key / 3;
        const std::int64_t row = (down + 1) * 5 + query % 3 - key % 3 + 2;
        const std::int64_t seam = window == 1 && down != 0 ? -100 : 0;
        EXPECT_EQ(bias[2 * window + 1][query][key].item<std::int64_t>(), 100 + row + seam) << query << " " << key;
      }
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
