#include "model/layer_table.hpp"

#include "base/atomic_file.hpp"
#include "model/networks.hpp"
#include "model/training.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace mpsbench {

namespace {

using tests::json;

std::vector<schema::NetworkTensor> tensors_of(const json& shape, const char* layer) {
  return tests::expand_layers(shape, json::array({json::parse(layer)})).layers.front().node.tensors;
}

TEST(Init, DefaultsAreThoseOfTorch) {
  const auto conv =
      tensors_of({8, 5, 5}, R"({"type": "conv2d", "out_channels": 6, "kernel_size": [3, 2], "groups": 2})");
  EXPECT_EQ(conv[0].init, "uniform");
  EXPECT_DOUBLE_EQ(conv[0].scale, 1 / std::sqrt(4 * 3 * 2));
  EXPECT_EQ(conv[1].init, "uniform");
  EXPECT_DOUBLE_EQ(conv[1].scale, conv[0].scale);
  const auto linear = tensors_of({16}, R"({"type": "linear", "out_features": 3})");
  EXPECT_DOUBLE_EQ(linear[0].scale, 0.25);
  EXPECT_DOUBLE_EQ(linear[1].scale, 0.25);
  const auto norm = tensors_of({8, 5, 5}, R"({"type": "batch_norm2d"})");
  EXPECT_EQ(norm[0].init, "ones");
  EXPECT_EQ(norm[1].init, "zeros");
}

TEST(Init, KaimingByFanOut) {
  const auto conv = tensors_of({8, 5, 5}, R"({"type": "conv2d", "out_channels": 16, "kernel_size": 3, "groups": 2,
                                              "weight_init": "kaiming_normal_fan_out", "bias_init": "zeros"})");
  EXPECT_EQ(conv[0].init, "normal");
  EXPECT_DOUBLE_EQ(conv[0].scale, std::sqrt(2.0 / (16 * 9)));
  EXPECT_EQ(conv[1].init, "zeros");
}

TEST(Init, StatedValues) {
  const auto linear = tensors_of({16}, R"({"type": "linear", "out_features": 3, "weight_init": {"normal": 0.02},
                                           "bias_init": {"uniform": 0.5}})");
  EXPECT_EQ(linear[0].init, "normal");
  EXPECT_DOUBLE_EQ(linear[0].scale, 0.02);
  EXPECT_EQ(linear[1].init, "uniform");
  EXPECT_DOUBLE_EQ(linear[1].scale, 0.5);
  const auto norm = tensors_of({4}, R"({"type": "layer_norm", "weight_init": "zeros", "bias_init": "ones"})");
  EXPECT_EQ(norm[0].init, "zeros");
  EXPECT_EQ(norm[1].init, "ones");
}

// The article's script replaced torchvision's last layer by a new nn.Linear.
TEST(Init, AReplacedLastLayerIsDrawnAsANewOne) {
  const schema::NetworkPlan own = tests::plan_of(tests::load_model("vgg16_bn"), 1);
  const schema::NetworkPlan replaced = tests::plan_of(tests::load_model("vgg16_bn-cifar10"), 1);
  ASSERT_EQ(own.nodes.size(), replaced.nodes.size());
  for (std::size_t node = 0; node < own.nodes.size(); ++node) {
    const auto& expected = own.nodes[node].tensors;
    const auto& found = replaced.nodes[node].tensors;
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].name, expected[i].name);
      const bool last = found[i].name.starts_with("classifier.6.");
      EXPECT_EQ(found[i].init, last ? "uniform" : expected[i].init) << found[i].name;
      EXPECT_DOUBLE_EQ(found[i].scale, last ? 1 / std::sqrt(4096) : expected[i].scale) << found[i].name;
    }
  }
}

TEST(LayerTable, NamesAreUnique) {
  const std::vector<std::string> names = model::layer_type_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(model::find_layer_type("conv2d")->name, std::string("conv2d"));
  EXPECT_EQ(model::find_layer_type("conv3d"), nullptr);
}

// With MPSBENCH_WRITE_SCHEMA set, the test writes the parts that the tables know.
TEST(LayerTable, TheSchemaIsWhatTheTablesSay) {
  const auto file = tests::source_folder() / "configs/schema/model.schema.json";
  auto schema = nlohmann::ordered_json::parse(tests::content(file));
  schema["properties"]["loss"] = {{"enum", model::loss_names()}};
  nlohmann::ordered_json& definitions = schema["$defs"];
  definitions["optimizer"] = model::optimizer_json_schema();
  definitions["layer"] = {{"oneOf", nlohmann::ordered_json::array()}};
  for (const model::LayerType& type : model::layer_types()) {
    definitions["layer"]["oneOf"].push_back({{"$ref", std::string("#/$defs/") + type.name}});
    definitions[type.name] = model::layer_json_schema(type);
  }
  const std::string text = base::to_text(schema, 1) + "\n";
  if (std::getenv("MPSBENCH_WRITE_SCHEMA") != nullptr) base::write_file(file, text);
  EXPECT_TRUE(text == tests::content(file)) << file << " is stale; write it with MPSBENCH_WRITE_SCHEMA=1 and this test";
}

TEST(LayerTable, ThePageHasARowForEveryTypeWithEveryOption) {
  const std::string text = base::read_text_file(tests::source_folder() / "docs/models.md", 1 << 20);
  for (const model::LayerType& type : model::layer_types()) {
    const std::size_t start = text.find("| `" + std::string(type.name) + "` |");
    ASSERT_NE(start, std::string::npos) << type.name;
    const std::string row = text.substr(start, text.find('\n', start) - start);
    for (const model::LayerOption& option : type.options) {
      if (option.kind == model::LayerOptionKind::init) continue;
      EXPECT_TRUE(tests::contains(row, "`" + std::string(option.key))) << type.name << " " << option.key;
    }
  }
}

}  // namespace

}  // namespace mpsbench
