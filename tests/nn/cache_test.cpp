#include "nn/cache.hpp"

#include "model/networks.hpp"
#include "nn/network.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <string>

namespace mpsbench::nn {
namespace {

constexpr std::int64_t kPrompt = 5;
constexpr std::int64_t kCapacity = 14;

// Two layers of full attention and four with a window of 6, in which two heads share keys, or learned positions.
schema::NetworkPlan small_plan(const std::string& model) {
  model::ParameterChanges changes{{"layers", 6}, {"hidden", 32}, {"heads", 4}, {"vocabulary", 61}, {"tokens", kPrompt}};
  if (model == "gemma-3-270m") changes.insert({{"kv_heads", 2}, {"head_dim", 8}, {"intermediate", 48}, {"window", 6}});
  return model::build_network_plan(tests::load_model(model), 2, changes, "next_token_cross_entropy",
                                   schema::Mode::generate, schema::KeyValueCache{.filled = 0, .capacity = kCapacity});
}

TEST(Cache, TokensAtAPlaceOnTheDeviceAreThoseThatTheHostCounts) {
  const c10::InferenceMode inference;
  for (const char* model : {"gemma-3-270m", "gpt2"}) {
    const schema::NetworkPlan plan = small_plan(model);
    const Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
    Cache of_host(plan, 2, kCapacity, at::kFloat, Positions::of_host);
    Cache of_device(plan, 2, kCapacity, at::kFloat, Positions::of_device);
    Network expected(plan, parameters, of_host);
    Network found(plan, parameters, of_device);
    at::Tensor ids = at::arange(2 * kPrompt, at::kLong).view({2, kPrompt});
    for (Cache* cache : {&of_host, &of_device}) cache->set_position(0);
    EXPECT_TRUE(at::equal(found.forward({ids}), expected.forward({ids}))) << model;
    for (Cache* cache : {&of_host, &of_device}) cache->set_position(kPrompt);
    for (std::int64_t position = kPrompt; position < kCapacity; ++position) {
      EXPECT_EQ(of_device.place().item<std::int64_t>(), position);
      ids = at::full({2, 1}, position, at::kLong);
      EXPECT_TRUE(at::allclose(found.forward({ids}), expected.forward({ids}), 1e-4, 1e-5)) << model << ' ' << position;
      for (Cache* cache : {&of_host, &of_device}) cache->advance();
    }
  }
}

TEST(Cache, HidesLaterPositionsAndThoseBeforeAWindow) {
  Cache cache(small_plan("gpt2"), 1, 6, at::kFloat, Positions::of_device);
  const auto seen = [&](std::int64_t window) { return at::nonzero(cache.bias(window) == 0).view({-1}); };
  cache.set_position(3);
  EXPECT_TRUE(at::equal(seen(0), at::arange(4)));
  EXPECT_TRUE(at::equal(seen(2), at::arange(2, 4)));
  cache.advance();
  EXPECT_TRUE(at::equal(seen(2), at::arange(3, 5)));
}

TEST(Cache, HasKeysAndValuesOfEachLayerInTurn) {
  const Cache cache(small_plan("gemma-3-270m"), 3, kCapacity, at::kBFloat16, Positions::of_host);
  ASSERT_EQ(cache.tensors().size(), 12U);
  for (const at::Tensor& one : cache.tensors()) {
    EXPECT_EQ(one.sizes(), (at::IntArrayRef{3, 2, schema::allocated_positions(kCapacity), 8}));
    EXPECT_EQ(one.scalar_type(), at::kBFloat16);
  }
}

}  // namespace
}  // namespace mpsbench::nn
