#include "nn/parameters.hpp"

#include "nn/plans.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mpsbench::nn {
namespace {

using tests::small_mlp;
using Tensors = std::vector<std::pair<std::string, at::Tensor>>;

class Weights : public ::testing::Test {
 protected:
  tests::Scratch folder_;
  std::string file_ = (folder_ / "weights").string();
};

Tensors tensors_of(const Parameters& parameters) {
  Tensors tensors;
  for (const NamedTensor& named : parameters.all()) tensors.emplace_back(named.name, named.tensor);
  return tensors;
}

TEST_F(Weights, ComeBackAsTheyWere) {
  const schema::NetworkPlan plan = small_mlp(1);
  const Parameters drawn = Parameters::draw(plan, 3, at::kCPU);
  write_safetensors(file_, tensors_of(drawn));
  const Parameters loaded = Parameters::load(plan, file_, 3, at::kCPU);
  ASSERT_EQ(loaded.all().size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(loaded.all()[i].name, drawn.all()[i].name);
    EXPECT_TRUE(at::equal(loaded.all()[i].tensor, drawn.all()[i].tensor));
  }
}

TEST_F(Weights, OfHalfPrecisionAreWidened) {
  const schema::NetworkPlan plan = small_mlp(1);
  Tensors tensors = tensors_of(Parameters::draw(plan, 3, at::kCPU));
  for (auto& [name, tensor] : tensors) tensor = tensor.to(at::kBFloat16);
  write_safetensors(file_, tensors);
  const at::Tensor loaded = Parameters::load(plan, file_, 3, at::kCPU).all()[0].tensor;
  EXPECT_EQ(loaded.scalar_type(), at::kFloat);
  EXPECT_TRUE(at::equal(loaded, tensors[0].second.to(at::kFloat)));
}

TEST_F(Weights, OfAnotherNetworkAreRefusedByName) {
  Tensors tensors = tensors_of(Parameters::draw(small_mlp(1), 3, at::kCPU));
  tensors[0].second = at::zeros({2, 2});
  tensors[1].first = "first.offset";
  write_safetensors(file_, tensors);
  EXPECT_EQ(tests::usage_error_of([&] { (void)Parameters::load(small_mlp(1), file_, 3, at::kCPU); }),
            file_ +
                ": these are not the weights of 'net'; missing: first.bias; wrong shape: first.weight is [2, 2] "
                "instead of [16, 8]; more than the network has: first.offset");
}

using tests::image_input;
using tests::plan_of;

bool all_equal(const Parameters& a, const Parameters& b) {
  for (std::size_t i = 0; i < a.all().size(); ++i) {
    if (!at::equal(a.all()[i].tensor, b.all()[i].tensor)) return false;
  }
  return true;
}

TEST(Parameters, AreDrawnFromTheSeed) {
  const schema::NetworkPlan plan = small_mlp(2);
  EXPECT_TRUE(all_equal(Parameters::draw(plan, 5, at::kCPU), Parameters::draw(plan, 5, at::kCPU)));
  EXPECT_FALSE(all_equal(Parameters::draw(plan, 5, at::kCPU), Parameters::draw(plan, 6, at::kCPU)));
}

// More than 2^24 weights are drawn in parts.
TEST(Parameters, LargeTensorsAreTheSameForAnyNumberOfThreads) {
  const nlohmann::json linear{
      {"type", "linear"}, {"out_features", 4097}, {"bias", false}, {"weight_init", {{"uniform", 0.5}}}};
  const schema::NetworkPlan plan = plan_of(tests::vector_input(4096), nlohmann::json::array({linear}), 1);
  const int before = at::get_num_threads();
  const auto draw = [&plan](int threads) {
    at::set_num_threads(threads);
    return Parameters::draw(plan, 5, at::kCPU);
  };
  const Parameters one = draw(1);
  const Parameters two = draw(2);
  at::set_num_threads(before);
  EXPECT_TRUE(all_equal(one, two));
  const at::Tensor weights = one.all()[0].tensor.flatten();
  const at::Tensor rest = weights.narrow(0, std::int64_t{1} << 24, 4096);
  EXPECT_FALSE(at::equal(rest, weights.narrow(0, 0, 4096))) << "each part has numbers of its own";
  EXPECT_NEAR(rest.abs().mean().item<double>(), 0.25, 0.02);
}

TEST(Parameters, DefaultLinearIsUniformWithinTheRootOfItsFanIn) {
  const schema::NetworkPlan plan =
      plan_of(tests::vector_input(400),
              nlohmann::json::array({{{"type", "linear"}, {"name", "fc"}, {"out_features", 100}}}), 1);
  const at::Tensor weight = Parameters::draw(plan, 1, at::kCPU).all()[0].tensor;
  const double bound = 1 / std::sqrt(400.0);
  EXPECT_LE(weight.abs().max().item<double>(), bound);
  EXPECT_NEAR(weight.std().item<double>(), bound / std::sqrt(3.0), 0.02 * bound);
}

TEST(Parameters, EmbeddingHasAZeroRowForPadding) {
  const auto inputs = nlohmann::json::array(
      {{{"name", "ids"}, {"dtype", "int64"}, {"shape", {3}}, {"fill", "integers"}, {"high", 10}}});
  const nlohmann::json layers{
      {{"type", "embedding"}, {"name", "e"}, {"num_embeddings", 10}, {"embedding_dim", 4}, {"padding_idx", 2}},
      {{"type", "flatten"}}};
  const at::Tensor weight = Parameters::draw(plan_of(inputs, layers, 1), 1, at::kCPU).all()[0].tensor;
  EXPECT_EQ(weight[2].count_nonzero().item<std::int64_t>(), 0);
  EXPECT_EQ(weight[1].count_nonzero().item<std::int64_t>(), 4);
}

TEST(Parameters, BuffersGetNoGradient) {
  const nlohmann::json layers{{{"type", "batch_norm2d"}, {"name", "bn"}}, {{"type", "flatten"}}};
  Parameters parameters = Parameters::draw(plan_of(image_input(2, 2), layers, 2), 1, at::kCPU);
  parameters.require_gradients();
  EXPECT_EQ(parameters.all().size(), 5U);
  EXPECT_EQ(parameters.trainable().size(), 2U);
  for (const NamedTensor& named : parameters.all()) EXPECT_EQ(named.tensor.requires_grad(), named.trainable);
}

TEST(Parameters, ChannelsLastReordersFourDimensionalWeights) {
  const nlohmann::json layers{{{"type", "conv2d"}, {"name", "c"}, {"out_channels", 4}, {"kernel_size", 3}},
                              {{"type", "flatten"}}};
  Parameters parameters = Parameters::draw(plan_of(image_input(3, 8), layers, 1), 1, at::kCPU);
  const at::Tensor before = parameters.all()[0].tensor;
  parameters.to_channels_last();
  EXPECT_TRUE(parameters.all()[0].tensor.is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_TRUE(at::equal(parameters.all()[0].tensor, before));
}

}  // namespace
}  // namespace mpsbench::nn
