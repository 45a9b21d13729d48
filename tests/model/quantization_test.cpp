// Which weights become whole numbers, and what they take.
#include "model/quantization.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace mpsbench::model {
namespace {

using schema::Precision;

// A network from 48 numbers to 16, whose third layer has the weights of the second.
schema::NetworkPlan plan_of(Precision precision, std::int64_t width = 64, std::int64_t last = 16) {
  const auto linear = [](const char* name, std::int64_t size) {
    return tests::json{{"type", "linear"}, {"name", name}, {"out_features", size}};
  };
  tests::json third = linear("third", width);
  third["weight_from"] = "second";
  const tests::json document = {
      {"name", "net"},
      {"inputs", {{{"name", "x"}, {"dtype", "float32"}, {"shape", {128}}, {"fill", "normal"}}}},
      {"layers", {linear("first", width), linear("second", width), third, linear("fourth", 48), linear("head", last)}},
      {"loss", "cross_entropy"},
      {"optimizer", {{"name", "sgd"}, {"lr", 0.1}}},
      {"batch_size", 2},
      {"rows", 8}};
  schema::NetworkPlan plan = tests::plan_of(read_definition(document, "net.json"), 2, schema::Mode::infer);
  quantize(plan, row_of(precision));
  return plan;
}

// The groups of quantized weights by name.
std::map<std::string, std::int64_t> groups(const schema::NetworkPlan& plan) {
  std::map<std::string, std::int64_t> all;
  for (const schema::NetworkNode& node : plan.nodes) {
    for (const schema::NetworkTensor& tensor : node.tensors) {
      if (tensor.quantized) all.emplace(tensor.name, tensor.quantized->group);
    }
  }
  return all;
}

using Groups = std::map<std::string, std::int64_t>;

TEST(Quantization, TakesLinearLayersButTheHeadAndSharedWeights) {
  EXPECT_EQ(groups(plan_of(Precision::pure_bf16)), Groups{});
  EXPECT_EQ(groups(plan_of(Precision::int8)), (Groups{{"first.weight", 128}, {"fourth.weight", 64}}));
}

TEST(Quantization, TakesTheLargestGroupThatDivides) {
  EXPECT_EQ(groups(plan_of(Precision::int4)), (Groups{{"first.weight", 128}, {"fourth.weight", 64}}));
  EXPECT_EQ(groups(plan_of(Precision::int4, 96)), (Groups{{"first.weight", 128}, {"fourth.weight", 32}}));
}

TEST(Quantization, LeavesSizesThatAKernelMayRefuse) {
  const std::string refusal = tests::usage_error_of([] { (void)plan_of(Precision::int8, 40); });
  EXPECT_TRUE(tests::contains(refusal, "has no linear layer that can be quantized")) << "no multiple of 16 or 32";
  EXPECT_EQ(groups(plan_of(Precision::int4, 80)), (Groups{{"first.weight", 128}}));
}

TEST(Quantization, RowsOfATransposedWeightAreItsColumns) {
  schema::NetworkPlan plan = build_network_plan(tests::load_model("gpt2"), 1, {{"layers", 1}, {"tokens", 4}},
                                                "next_token_cross_entropy", schema::Mode::infer);
  quantize(plan, row_of(Precision::int8));
  EXPECT_EQ(groups(plan).at("transformer.h.0.mlp.c_proj.weight"), 3072);
}

TEST(Quantization, CountsNumbersAndScales) {
  const auto bytes = [](Precision precision) { return weight_bytes(plan_of(precision), row_of(precision)); };
  const double first = 64 * 128;
  const double fourth = 48 * 64;
  const double others = 64 * 64 + 16 * 48 + 64 + 64 + 64 + 48 + 16;  // the second's, the head's, and biases
  EXPECT_EQ(bytes(Precision::fp32), 4 * (first + fourth + others));
  EXPECT_EQ(bytes(Precision::pure_bf16), 2 * (first + fourth + others));
  EXPECT_EQ(bytes(Precision::int8), first + fourth + 2 * (64 + 48) + 2 * others);
  EXPECT_EQ(bytes(Precision::int4), (first + fourth) / 2 + 4 * (64 * 1 + 48 * 1) + 2 * others);
}

}  // namespace
}  // namespace mpsbench::model
