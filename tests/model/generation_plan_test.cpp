// The plans of networks that generate: of their prompt, and of a token.
#include "model/build_network_plan.hpp"
#include "model/memory.hpp"
#include "model/networks.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mpsbench::model {
namespace {

using tests::contains;

constexpr std::int64_t kLayers = 3;
constexpr std::int64_t kHeads = 9;
constexpr std::int64_t kHeadsOfKeys = 3;
constexpr std::int64_t kSize = 64;

schema::CaseSpec generating(const std::string& model) {
  schema::CaseSpec spec = tests::sample_spec(model, schema::Mode::generate, 2);
  spec.classes = std::nullopt;
  spec.loss = "next_token_cross_entropy";
  spec.parameters = {{"layers", kLayers}};
  spec.depth = 4;
  spec.prompt = 8;
  spec.generate = 5;
  return spec;
}

schema::NetworkPlan plan_of(const schema::CaseSpec& spec) {
  return plan_of(tests::load_model(spec.model), spec);
}

std::int64_t attention_macs(const schema::NetworkPlan& plan) {
  std::int64_t all = 0;
  for (const schema::NetworkNode& node : plan.nodes) {
    if (node.type == "scaled_dot_product_attention") all += node.forward_macs;
  }
  return all;
}

TEST(GenerationPlan, OfAPromptReadsItAfterTheTokensInTheCache) {
  const schema::NetworkPlan plan = plan_of(generating("smollm2-135m"));
  EXPECT_EQ(plan.inputs.front().shape, (schema::Shape{2, 8}));
  EXPECT_EQ(plan.cache->filled, 4);
  EXPECT_EQ(plan.cache->capacity, 4 + 8 + 5 - 1);
  EXPECT_EQ(plan.cache->elements, 2 * kLayers * 2 * kHeadsOfKeys * kSize);
  EXPECT_EQ(attention_macs(plan), kLayers * 2 * kHeads * (8 * 4 + 8 * 9 / 2) * 2 * kSize);
}

TEST(GenerationPlan, ComputesTheLogitsOfTheLastPositionAlone) {
  const schema::NetworkPlan plan = plan_of(generating("smollm2-135m"));
  const schema::NetworkNode& head = plan.nodes.back();
  EXPECT_EQ(head.shape, (schema::Shape{2, 1, 49152}));
  EXPECT_EQ(head.forward_macs, 2LL * 576 * 49152);
  const schema::NetworkNode& last = plan.nodes[plan.nodes.size() - 2];
  EXPECT_EQ(last.type, "split");
  EXPECT_EQ(head.inputs.front(), last.output);
  EXPECT_EQ(last.shape, (schema::Shape{2, 1, 576}));
  const auto releases = [&](int slot) { return std::ranges::count(last.release, slot); };
  EXPECT_EQ(releases(last.inputs.front()), 1);
}

TEST(GenerationPlan, ScalesLogitsAfterTheLastLayer) {
  schema::CaseSpec spec = generating("granite-3.1-1b-a400m");
  spec.parameters["layers"] = 1;
  const schema::NetworkPlan plan = plan_of(spec);
  EXPECT_EQ(plan.nodes.back().type, "scale");
  EXPECT_EQ(plan.nodes.back().shape, (schema::Shape{2, 1, 49155}));
}

TEST(GenerationPlan, OfATokenIsInTheMiddleOfASequence) {
  const schema::CaseSpec spec = generating("smollm2-135m");
  schema::RunRecord record = tests::sample_run({spec}, 1);
  const Definition definition = tests::load_model("smollm2-135m");
  record.run.definitions[definition.sha256] = definition.document;
  const schema::NetworkPlan plan = token_plan(record.run, definition.sha256, spec);
  EXPECT_EQ(plan.inputs.front().shape, (schema::Shape{2, 1}));
  EXPECT_EQ(plan.cache->filled, 4 + 8 + 2);
  EXPECT_EQ(plan.cache->capacity, 16);
  EXPECT_EQ(attention_macs(plan), kLayers * 2 * kHeads * 15 * 2 * kSize);
}

TEST(GenerationPlan, KeepsAWindowThatIsShorterThanASequence) {
  schema::CaseSpec spec = generating("gemma-3-270m");
  spec.parameters = {{"layers", 1}, {"window", 6}};
  const auto window_of = [](const schema::NetworkPlan& plan) {
    const auto found = std::ranges::find(plan.nodes, "scaled_dot_product_attention", &schema::NetworkNode::type);
    return found->options.at("window").get<int>();
  };
  EXPECT_EQ(window_of(plan_of(spec)), 6);
  // Of 8 queries after 4 positions, each has 6 keys, but for the first, which has 5.
  EXPECT_EQ(attention_macs(plan_of(spec)), 2 * 4 * (5 + 7 * 6) * 2 * 256);
  spec.parameters["window"] = 12;
  EXPECT_EQ(window_of(plan_of(spec)), 12) << "longer than the prompt with its depth, but not than the sequence";
  spec.parameters["window"] = 16;
  EXPECT_EQ(window_of(plan_of(spec)), 0);
}

TEST(GenerationPlan, ForecastsTheCacheInItsPrecision) {
  schema::CaseSpec spec = generating("smollm2-135m");
  const schema::NetworkPlan plan = plan_of(spec);
  const auto elements = static_cast<double>(plan.cache->elements * plan.cache->capacity);
  EXPECT_EQ(forecast_memory(plan, spec).cache, 4 * elements);
  EXPECT_EQ(forecast_memory(plan, spec).weights, 4 * static_cast<double>(plan.parameters));
  spec.precision = schema::Precision::pure_bf16;
  EXPECT_EQ(forecast_memory(plan, spec).cache, 2 * elements);
  EXPECT_EQ(forecast_memory(plan, spec).weights, 2 * static_cast<double>(plan.parameters));
  spec.precision = schema::Precision::bf16;
  EXPECT_EQ(forecast_memory(plan, spec).cache, 2 * elements);
  EXPECT_EQ(forecast_memory(plan, spec).weights, 4 * static_cast<double>(plan.parameters));
}

TEST(GenerationPlan, SaysWhyANetworkCannotGenerate) {
  const auto plan = [](const std::string& model, std::int64_t prompt) {
    schema::CaseSpec spec = generating(model);
    spec.parameters.clear();
    spec.prompt = prompt;
    return plan_of(spec);
  };
  const auto refusal = [&](const std::string& model, std::int64_t prompt) {
    return tests::usage_error_of([&] { (void)plan(model, prompt); });
  };
  EXPECT_TRUE(contains(refusal("bert-tiny", 8), "have the loss next_token_cross_entropy"));
  const std::string causal = "\"is_causal\":true";
  std::string both = tests::load_model("gpt2").document.dump();
  both.replace(both.find(causal), causal.size(), "\"is_causal\":false");
  const Definition sees_all = read_definition(nlohmann::json::parse(both), "all.json");
  EXPECT_TRUE(contains(tests::usage_error_of([&] { (void)plan_of(sees_all, generating("gpt2")); }),
                       "only causal attention can generate"));
  EXPECT_TRUE(contains(refusal("mlp", 8), "must be a parameter named 'tokens'"));
  EXPECT_EQ(refusal("gpt2", 1017),
            "--depth, --prompt and --generate need 1025 positions, but the model 'gpt2' has 1024; lower one of them");
  EXPECT_EQ(plan("gpt2", 1016).cache->capacity, 1024);
  EXPECT_TRUE(contains(refusal("smollm2-135m", 100'000'000), "cannot generate: ")) << "has no last position";
}

}  // namespace
}  // namespace mpsbench::model
