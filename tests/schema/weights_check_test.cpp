#include "schema/weights_check.hpp"

#include "schema/samples.hpp"
#include "support/errors.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace mpsbench::schema {
namespace {

using tests::usage_error_of;

base::SafetensorsHeader header_of(const std::map<std::string, Shape>& shapes) {
  base::SafetensorsHeader header;
  for (const auto& [name, shape] : shapes) header.tensors[name] = {"F32", shape, 0, 0};
  return header;
}

std::string refusal(const std::map<std::string, Shape>& shapes, const NetworkPlan& plan = tests::full_plan()) {
  return usage_error_of([&] { (void)match_weights(header_of(shapes), plan, "w.safetensors"); });
}

NetworkTensor tensor(const std::string& name, const Shape& shape, bool trainable = true) {
  NetworkTensor made;
  made.name = name;
  made.role = name.substr(name.rfind('.') + 1);
  made.shape = shape;
  made.trainable = trainable;
  return made;
}

// As a small BERT: an embedding, two blocks of a linear layer and a norm, a pooler and a classifier.
NetworkPlan bert() {
  NetworkPlan plan;
  plan.model = "bert";
  const auto add = [&](const char* type, const std::string& name, const Shape& weight) {
    NetworkNode node;
    node.type = type;
    node.name = name;
    node.tensors.push_back(tensor(name + ".weight", weight));
    if (node.type != "embedding") node.tensors.push_back(tensor(name + ".bias", {4}));
    plan.nodes.push_back(node);
  };
  add("embedding", "bert.embeddings.words", {9, 4});
  for (const char* layer : {"0", "1"}) {
    add("linear", std::string("bert.encoder.layer.") + layer + ".dense", {4, 4});
    add("layer_norm", std::string("bert.encoder.layer.") + layer + ".LayerNorm", {4});
  }
  add("linear", "bert.pooler.dense", {4, 4});
  add("linear", "classifier", {4, 4});
  return plan;
}

// Returns the shapes of PLAN's tensors by RENAME of their names; those that it calls "" are left out.
template <typename Rename>
std::map<std::string, Shape> shapes_of(const NetworkPlan& plan, Rename rename) {
  std::map<std::string, Shape> shapes;
  for (const NetworkNode& node : plan.nodes) {
    for (const NetworkTensor& one : node.tensors) {
      const std::string name = rename(one.name);
      if (!name.empty()) shapes[name] = one.shape;
    }
  }
  return shapes;
}

WeightsMatch match(const std::map<std::string, Shape>& shapes, const NetworkPlan& plan = bert()) {
  return match_weights(header_of(shapes), plan, "w.safetensors");
}

TEST(WeightsCheck, TakesExactlyTheNetworksTensors) {
  const WeightsMatch found = match({{"fc.weight", {4, 8}}, {"bn.num_batches_tracked", {}}}, tests::full_plan());
  EXPECT_EQ(found.names.at("fc.weight"), "fc.weight");
  EXPECT_EQ(remark_on(found), "");
}

TEST(WeightsCheck, TakesAFileWithoutNumBatchesTracked) {
  EXPECT_EQ(remark_on(match({{"fc.weight", {4, 8}}}, tests::full_plan())), "");
}

TEST(WeightsCheck, FindsTensorsUnderOtherPrefixes) {
  using Rename = std::function<std::string(const std::string&)>;
  const std::map<std::string, Rename> files{
      {"itself", [](const std::string& name) { return name; }},
      {"wrapped", [](const std::string& name) { return "module." + name; }},
      {"wrapped twice", [](const std::string& name) { return "module._orig_mod." + name; }},
      {"BertModel with a classifier",
       [](const std::string& name) { return name.starts_with("bert.") ? name.substr(5) : name; }},
  };
  for (const auto& [what, rename] : files) {
    const WeightsMatch found = match(shapes_of(bert(), rename));
    EXPECT_EQ(remark_on(found), "") << what;
    EXPECT_EQ(found.names.at("bert.encoder.layer.1.dense.bias"), rename("bert.encoder.layer.1.dense.bias")) << what;
    EXPECT_EQ(found.names.at("classifier.weight"), rename("classifier.weight")) << what;
  }
}

TEST(WeightsCheck, TakesABertOfTheHub) {
  // bert-base-uncased: gamma and beta, heads of pre-training, no classifier.
  std::map<std::string, Shape> shapes = shapes_of(bert(), [](const std::string& name) -> std::string {
    if (name.starts_with("classifier")) return "";
    const std::size_t norm = name.find("LayerNorm.");
    if (norm == std::string::npos) return name;
    return name.substr(0, norm) + (name.ends_with("weight") ? "LayerNorm.gamma" : "LayerNorm.beta");
  });
  shapes["cls.predictions.bias"] = {9};
  shapes["cls.predictions.transform.dense.weight"] = {4, 4};
  shapes["bert.embeddings.position_ids"] = {1, 512};
  const WeightsMatch found = match(shapes);
  EXPECT_EQ(found.names.at("bert.encoder.layer.0.LayerNorm.weight"), "bert.encoder.layer.0.LayerNorm.gamma");
  EXPECT_EQ(remark_on(found),
            "drawn, because the file lacks them: classifier.weight, classifier.bias; left over in the file: "
            "bert.embeddings.position_ids, cls.predictions.bias, cls.predictions.transform.dense.weight");
}

TEST(WeightsCheck, RefusesTwoTensorsForOne) {
  std::map<std::string, Shape> shapes = shapes_of(bert(), [](const std::string& name) { return name; });
  shapes["bert.encoder.layer.0.LayerNorm.gamma"] = {4};
  EXPECT_TRUE(
      tests::contains(refusal(shapes, bert()), "more than the network has: bert.encoder.layer.0.LayerNorm.gamma"));
}

TEST(WeightsCheck, DrawsTheLastLinearLayersOnly) {
  const auto without = [](const std::vector<std::string>& parts) {
    return shapes_of(bert(), [&](const std::string& name) {
      const bool is_out =
          std::ranges::any_of(parts, [&](const std::string& part) { return name.find(part) != std::string::npos; });
      return is_out ? "" : name;
    });
  };
  EXPECT_EQ(match(without({"pooler", "classifier"})).drawn.size(), 4U);
  EXPECT_TRUE(tests::contains(refusal(without({"pooler"}), bert()), "; missing: bert.pooler.dense.weight"));
  EXPECT_TRUE(tests::contains(refusal(without({"classifier.bias"}), bert()), "; missing: classifier.bias"));
  EXPECT_TRUE(tests::contains(refusal(without({"layer.1", "pooler", "classifier"}), bert()),
                              "; missing: bert.encoder.layer.1.dense.weight"));
  NetworkPlan mlp = tests::full_plan();
  mlp.nodes[0].type = "linear";
  EXPECT_TRUE(tests::contains(refusal({}, mlp), "; missing: fc.weight"));
}

// Without the bias, it would be another function.
TEST(WeightsCheck, RefusesMoreTensorsOfALayer) {
  EXPECT_EQ(refusal({{"fc.weight", {4, 8}}, {"fc.bias", {4}}}),
            "w.safetensors: these are not the weights of 'one-layer'; more than the network has: fc.bias");
}

TEST(WeightsCheck, RefusesAFileOfMoreLayers) {
  std::map<std::string, Shape> shapes = shapes_of(bert(), [](const std::string& name) { return name; });
  shapes["bert.encoder.layer.2.dense.weight"] = {4, 4};
  EXPECT_EQ(refusal(shapes, bert()),
            "w.safetensors: these are not the weights of 'bert'; more than the network has: "
            "bert.encoder.layer.2.dense.weight");
}

TEST(WeightsCheck, NamesWhatIsMissing) {
  EXPECT_EQ(refusal({}), "w.safetensors: these are not the weights of 'one-layer'; missing: fc.weight");
}

TEST(WeightsCheck, NamesBothShapes) {
  EXPECT_EQ(
      refusal({{"fc.weight", {8, 4}}}),
      "w.safetensors: these are not the weights of 'one-layer'; wrong shape: fc.weight is [8, 4] instead of [4, 8]");
  EXPECT_TRUE(tests::contains(refusal({{"fc.weight", {4, 8}}, {"bn.num_batches_tracked", {1}}}),
                              "bn.num_batches_tracked is [1] instead of []"));
}

TEST(WeightsCheck, SaysEverythingInOneShortLine) {
  NetworkPlan plan = tests::full_plan();
  for (int i = 0; i < 9; ++i) {
    NetworkTensor tensor;
    tensor.name = "layer" + std::to_string(i) + ".weight";
    tensor.role = "weight";
    tensor.shape = {2};
    plan.nodes[0].tensors.push_back(tensor);
  }
  EXPECT_EQ(refusal({{"fc.weight", {4}}, {"x", {}}}, plan),
            "w.safetensors: these are not the weights of 'one-layer'; missing: layer0.weight, layer1.weight, "
            "layer2.weight and 6 more; wrong shape: fc.weight is [4] instead of [4, 8]; unknown: x");
}

}  // namespace
}  // namespace mpsbench::schema
