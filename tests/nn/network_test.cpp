#include "nn/network.hpp"

#include "base/hex.hpp"
#include "model/layer_table.hpp"
#include "nn/parameters.hpp"
#include "nn/plans.hpp"
#include "nn/script_file.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace mpsbench::nn {
namespace {

using tests::image_input;
using tests::plan_of;
using tests::small_mlp;
using tests::vector_input;

at::Tensor named(const Parameters& parameters, const std::string& name) {
  for (const NamedTensor& one : parameters.all()) {
    if (one.name == name) return one.tensor;
  }
  return {};
}

at::Tensor run(const schema::NetworkPlan& plan, const Parameters& parameters, const at::Tensor& input, bool training) {
  Network network(plan, parameters, training);
  return network.forward({input});
}

TEST(Network, ComputesWhatTheOperatorsCompute) {
  const schema::NetworkPlan plan = small_mlp(3);
  const Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  const at::Tensor input = at::randn({3, 8});
  const at::Tensor hidden =
      at::relu(at::linear(input, named(parameters, "first.weight"), named(parameters, "first.bias")));
  const at::Tensor expected = at::linear(hidden, named(parameters, "last.weight"), named(parameters, "last.bias"));
  EXPECT_TRUE(at::equal(run(plan, parameters, input, false), expected));
}

TEST(Network, JoinsBranches) {
  const schema::NetworkPlan plan =
      plan_of(vector_input(4),
              {{{"type", "linear"}, {"name", "left"}, {"out_features", 3}},
               {{"type", "linear"}, {"name", "right"}, {"input", "input"}, {"out_features", 2}},
               {{"type", "cat"}, {"inputs", {"left", "right"}}, {"dim", 1}}},
              2);
  const Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  const at::Tensor input = at::randn({2, 4});
  const at::Tensor left = at::linear(input, named(parameters, "left.weight"), named(parameters, "left.bias"));
  const at::Tensor right = at::linear(input, named(parameters, "right.weight"), named(parameters, "right.bias"));
  EXPECT_TRUE(at::equal(run(plan, parameters, input, false), at::cat({left, right}, 1)));
}

TEST(Network, HandsOverAuxiliaryOutputsInTraining) {
  const schema::NetworkPlan plan =
      plan_of(vector_input(4),
              {{{"type", "linear"}, {"name", "head"}, {"out_features", 3}, {"auxiliary", 0.3}},
               {{"type", "linear"}, {"name", "last"}, {"out_features", 3}}},
              2);
  const Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  const at::Tensor input = at::randn({2, 4});
  const at::Tensor head = at::linear(input, named(parameters, "head.weight"), named(parameters, "head.bias"));
  Network network(plan, parameters, /*training=*/true);
  const at::Tensor logits = network.forward({input});
  const std::vector<Auxiliary> auxiliary = network.take_auxiliary();
  ASSERT_EQ(auxiliary.size(), 1U);
  EXPECT_TRUE(at::equal(auxiliary[0].output, head));
  EXPECT_EQ(auxiliary[0].factor, 0.3);
  const std::unique_ptr<Model> evaluating = network.evaluating();
  EXPECT_TRUE(at::equal(evaluating->forward({input}), logits));
  EXPECT_TRUE(evaluating->take_auxiliary().empty());
}

TEST(Network, SharesAWeight) {
  const schema::NetworkPlan plan = plan_of(
      vector_input(4),
      {{{"type", "linear"}, {"name", "there"}, {"out_features", 3}, {"bias", false}},
       {{"type", "linear"}, {"name", "back"}, {"out_features", 4}, {"transposed", true}, {"weight_from", "there"}}},
      2);
  Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  ASSERT_EQ(parameters.all().size(), 2U);
  EXPECT_EQ(plan.parameters, 3 * 4 + 4);
  parameters.require_gradients();
  const at::Tensor weight = named(parameters, "there.weight");
  const at::Tensor input = at::randn({2, 4});
  const at::Tensor output = run(plan, parameters, input, true);
  EXPECT_TRUE(at::equal(output, at::linear(at::linear(input, weight), weight.t(), named(parameters, "back.bias"))));
  output.sum().backward();
  const at::Tensor through_first = at::ones({2, 4}).matmul(weight.t()).t().matmul(input);
  const at::Tensor through_second = at::linear(input, weight).t().matmul(at::ones({2, 4}));
  EXPECT_TRUE(at::allclose(weight.grad(), (through_first + through_second).detach()));
}

TEST(Network, LeavesTheInputAloneAndFreesASlotAtItsLastUse) {
  const schema::NetworkPlan plan = small_mlp(2);
  Network network(plan, Parameters::draw(plan, 1, at::kCPU), false);
  const at::Tensor input = at::randn({2, 8});
  const at::Tensor before = input.clone();
  const at::Tensor first = network.forward({input});
  const at::Tensor second = network.forward({input});
  EXPECT_TRUE(at::equal(input, before));
  EXPECT_TRUE(at::equal(first, second));
  EXPECT_EQ(input.use_count(), 1U);
  EXPECT_EQ(first.use_count(), 1U);
}

TEST(Network, DropsOutInTrainingOnlyAndEvaluatesOverItsOwnTensors) {
  const schema::NetworkPlan plan =
      plan_of(vector_input(2), {{{"type", "linear"}, {"out_features", 1000}}, {{"type", "dropout"}, {"p", 0.5}}}, 1);
  Network network(plan, Parameters::draw(plan, 1, at::kCPU), true);
  const auto evaluating = network.evaluating();
  const at::Tensor input = at::ones({1, 2});
  EXPECT_TRUE(network.training());
  EXPECT_FALSE(evaluating->training());
  EXPECT_EQ(evaluating->forward({input}).count_nonzero().item<std::int64_t>(), 1000);
  const auto kept = network.forward({input}).count_nonzero().item<std::int64_t>();
  EXPECT_GT(kept, 400);
  EXPECT_LT(kept, 600);
  for (const NamedTensor& one : network.parameters().all()) at::Tensor(one.tensor).zero_();
  EXPECT_EQ(evaluating->forward({input}).count_nonzero().item<std::int64_t>(), 0);
}

TEST(Network, BatchNormUsesTheBatchInTrainingAndItsRunningValuesOtherwise) {
  const nlohmann::json layers{{{"type", "batch_norm2d"}, {"name", "bn"}},
                              {{"type", "adaptive_avg_pool2d"}, {"output_size", 1}},
                              {{"type", "flatten"}}};
  const schema::NetworkPlan plan = plan_of(image_input(3, 4), layers, 5);
  const Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  const at::Tensor input = at::randn({5, 3, 4, 4}) * 3 + 7;
  const at::Tensor trained = run(plan, parameters, input, true);
  EXPECT_LT(trained.mean().abs().item<float>(), 1e-5F);
  EXPECT_EQ(named(parameters, "bn.num_batches_tracked").item<std::int64_t>(), 1);
  EXPECT_NEAR(named(parameters, "bn.running_mean").mean().item<float>(), 0.7F,
              0.1F);  // the momentum 0.1 times a mean of about 7
  EXPECT_GT(run(plan, parameters, input, false).mean().item<float>(), 1.0F);
}

// Attention with one head over four positions per row.
schema::NetworkPlan attention_plan() {
  const auto inputs =
      nlohmann::json::array({{{"name", "x"}, {"dtype", "float32"}, {"shape", {1, 4, 8}}, {"fill", "normal"}},
                             {{"name", "mask"}, {"dtype", "int64"}, {"shape", {4}}, {"fill", "ones"}}});
  const nlohmann::json layers{
      {{"type", "padding_mask"}, {"name", "keep"}, {"input", "mask"}},
      {{"type", "scaled_dot_product_attention"}, {"name", "attend"}, {"inputs", {"x", "x", "x", "keep"}}},
      {{"type", "select"}, {"dim", 2}, {"index", 0}},
      {{"type", "flatten"}},
      {{"type", "linear"}, {"out_features", 8}}};
  return plan_of(inputs, layers, 1);
}

TEST(Network, AttentionIgnoresPaddedPositions) {
  const schema::NetworkPlan plan = attention_plan();
  Network network(plan, Parameters::draw(plan, 1, at::kCPU), false);
  const at::Tensor x = at::randn({1, 1, 4, 8});
  const at::Tensor two_padded = at::tensor({1, 1, 0, 0}, at::kLong).unsqueeze(0);
  const at::Tensor masked = network.forward({x, two_padded});
  at::Tensor changed = x.clone();
  // Without the mask, these get all the attention of the first query.
  changed.slice(2, 2, 4).copy_(4 * x.slice(2, 0, 1));
  EXPECT_EQ(masked.size(1), 8);
  EXPECT_TRUE(at::allclose(network.forward({changed, two_padded}), masked));
  EXPECT_FALSE(at::allclose(network.forward({changed, at::ones({1, 4}, at::kLong)}), masked));
}

TEST(Network, TakesTextsOfAnyLengthInTurn) {
  const auto inputs = nlohmann::json::array(
      {{{"name", "ids"}, {"dtype", "int64"}, {"shape", {6}}, {"fill", "integers"}, {"high", 10}}});
  const nlohmann::json layers{
      {{"type", "embedding"}, {"name", "words"}, {"num_embeddings", 10}, {"embedding_dim", 4}},
      {{"type", "position_ids"}, {"name", "places"}, {"input", "ids"}},
      {{"type", "embedding"}, {"name", "positions"}, {"num_embeddings", 6}, {"embedding_dim", 4}},
      {{"type", "add"}, {"inputs", {"words", "positions"}}},
      {{"type", "mean"}, {"dims", {1}}},
      {{"type", "linear"}, {"out_features", 8}}};
  const schema::NetworkPlan plan = plan_of(inputs, layers, 1);
  const Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  Network network(plan, parameters, false);
  for (const std::int64_t length : {3, 6, 2}) {
    const at::Tensor ids = at::arange(length, at::kLong).unsqueeze(0);
    EXPECT_TRUE(at::equal(network.forward({ids}), Network(plan, parameters, false).forward({ids}))) << length;
  }
}

// On CUDA every batch is copied to the same memory. So what is true of the first mask may be false for the
// next.
TEST(Network, MasksOfTextsFromFilesAreHeededOnCuda) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  schema::NetworkPlan plan = attention_plan();
  plan.nodes.at(0).options[schema::kMayHavePadding] = true;
  const Parameters parameters = Parameters::draw(plan, 1, at::kCUDA);
  Network network(plan, parameters, false);
  const at::Tensor x = at::randn({1, 1, 4, 8}, at::kCUDA);
  const at::Tensor mask = at::ones({1, 4}, at::device(at::kCUDA).dtype(at::kLong));
  const at::Tensor whole = network.forward({x, mask});
  mask.slice(1, 2, 4).zero_();
  const at::Tensor masked = network.forward({x, mask});
  EXPECT_FALSE(at::allclose(masked, whole));
  EXPECT_TRUE(at::allclose(masked, Network(plan, parameters, false).forward({x, mask})));
}

TEST(Network, ACopyWithoutDropoutOtherwiseTrains) {
  const schema::NetworkPlan plan = plan_of(
      image_input(2, 4),
      nlohmann::json::array(
          {{{"type", "batch_norm2d"}, {"name", "norm"}}, {{"type", "dropout"}, {"p", 0.9}}, {{"type", "flatten"}}}),
      8);
  Parameters parameters = Parameters::draw(plan, 1, at::kCPU);
  parameters.require_gradients();
  const Network network(plan, parameters, true);
  const at::Tensor x = 3 + at::randn({8, 2, 4, 4});
  const auto training = network.copy_without_dropout(at::kCPU, true);
  const at::Tensor output = training->forward({x});
  EXPECT_NEAR(output.mean().item<float>(), 0, 1e-5);  // of the batch's statistics
  EXPECT_EQ(output.eq(0).sum().item<int>(), 0);
  EXPECT_EQ(named(training->parameters(), "norm.num_batches_tracked").item<std::int64_t>(), 1);
  EXPECT_EQ(named(parameters, "norm.num_batches_tracked").item<std::int64_t>(), 0);  // it is a copy
  EXPECT_FALSE(named(training->parameters(), "norm.weight").requires_grad());
  EXPECT_NEAR(network.copy_without_dropout(at::kCPU, false)->forward({x}).mean().item<float>(), 3, 0.5);
}

// This worker has exactly the types that the planner accepts, except for model files: they are a separate
// nn::Model, not a layer.
TEST(Layers, AreExactlyThePlannersTypes) {
  std::vector<std::string> planners = model::layer_type_names();
  std::erase(planners, schema::kScriptLayer);
  std::erase(planners, schema::kPackageLayer);
  std::sort(planners.begin(), planners.end());
  EXPECT_EQ(layer_types(), planners);
}

TEST(Layers, NameWhatIsMissing) {
  schema::NetworkNode plan;
  plan.name = "fc";
  plan.type = "no_such_layer";
  const Node node(plan, {}, false, false);
  EXPECT_EQ(tests::usage_error_of([&] { (void)make_forward(node); }), "layer 'fc': unknown type 'no_such_layer'");
  EXPECT_EQ(tests::usage_error_of([&] { (void)node.integer("groups"); }),
            "layer 'fc': the plan lacks the option 'groups'");
}

TEST(MakeModel, DrawsFromTheSeedOrLoads) {
  schema::LaunchRequest request;
  request.network_plan = tests::small_mlp(2);
  request.spec.mode = schema::Mode::train;
  request.spec.seed = 3;
  const tests::Scratch folder;
  const std::string file = (folder.root() / "weights").string();
  const auto drawn = make_model(request, at::kCPU);
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  for (const NamedTensor& one : drawn->parameters().all()) tensors.emplace_back(one.name, one.tensor);
  write_safetensors(file, tensors);
  schema::LaunchRequest other_seed = request;
  other_seed.spec.mode = schema::Mode::infer;
  other_seed.spec.seed = 4;
  const auto other = make_model(other_seed, at::kCPU);
  schema::LaunchRequest with_weights = other_seed;
  with_weights.weights = file;
  const auto loaded = make_model(with_weights, at::kCPU);
  const at::Tensor input = at::ones({2, 8});
  EXPECT_TRUE(at::equal(drawn->forward({input}), loaded->forward({input})));
  EXPECT_FALSE(at::equal(drawn->forward({input}), other->forward({input})));
  EXPECT_TRUE(drawn->training());
  EXPECT_FALSE(loaded->training());
}

TEST(MakeModel, OfATorchScriptPlanIsTheFile) {
  const tests::ScriptFile file;
  schema::LaunchRequest request;
  request.network_plan = tests::plan_of_script();
  request.spec.mode = schema::Mode::train;
  request.weights = file.path();
  const auto model = make_model(request, at::kCPU);
  EXPECT_EQ(model->forward({at::ones({1, 3})}).sum().item<float>(), 12);
  request.weights.reset();
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)make_model(request, at::kCPU); }),
                              "works only with --model FILE.pt"));
}

TEST(MakeModel, OfAPackagesPlanIsTheFile) {
  const tests::Scratch folder;
  const tests::ScopedVariable restored("TMPDIR", folder.root().c_str());  // loading a package sets it
  const std::string file = folder.write("text.pt2", "no package").string();
  schema::LaunchRequest request;
  request.network_plan = tests::plan_of_script();
  request.network_plan.nodes[0].type = schema::kPackageLayer;
  request.spec.mode = schema::Mode::infer;
  const auto error = [&] { return tests::usage_error_of([&] { (void)make_model(request, at::kCPU); }); };
  EXPECT_TRUE(tests::contains(error(), "works only with --model FILE.pt2"));
  request.package =
      schema::PackageFile{.path = file, .sha256 = base::sha256_hex("no package"), .folder = folder.root().string()};
  EXPECT_TRUE(tests::contains(error(), file + ": the package's function model cannot be loaded"));
  request.package->sha256 = base::sha256_hex("another one");
  EXPECT_TRUE(tests::contains(error(), file + ": this package is damaged or was changed"));
  request.spec.mode = schema::Mode::train;
  EXPECT_TRUE(tests::contains(error(), "--mode infer"));
}

}  // namespace
}  // namespace mpsbench::nn
