#include "model/layer_table.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// Compares the table of layer types with its two descriptions, the JSON Schema and docs/models.md.

using Names = std::set<std::string>;

TEST(LayerTable, NamesAreUnique) {
  const std::vector<std::string> names = model::layer_type_names();
  EXPECT_EQ(Names(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(model::find_layer_type("conv2d")->name, std::string("conv2d"));
  EXPECT_EQ(model::find_layer_type("conv3d"), nullptr);
}

TEST(LayerTable, SchemaHasTheSameTypesAndOptions) {
  const json schema = base::read_json_file(tests::source_folder() / "configs/schema/model.schema.json");
  Names listed;
  for (const json& reference : schema["$defs"]["layer"]["oneOf"]) {
    const std::string text = reference["$ref"];
    listed.insert(text.substr(text.rfind('/') + 1));
  }
  const std::vector<std::string> names = model::layer_type_names();
  EXPECT_EQ(listed, Names(names.begin(), names.end()));

  for (const model::LayerType& type : model::layer_types()) {
    const json& described = schema["$defs"][type.name];
    Names keys;
    for (const auto& [key, value] : described["properties"].items()) keys.insert(key);
    Names expected_keys = {"type"};
    Names required_keys = {"type"};
    if (type.max_inputs < 64) expected_keys.insert("inputs");
    if (type.min_inputs > 1) required_keys.insert("inputs");
    for (const model::LayerOption& option : type.options) {
      expected_keys.insert(option.key);
      if (option.initial.is_discarded()) required_keys.insert(option.key);
    }
    EXPECT_EQ(keys, expected_keys) << type.name;
    EXPECT_EQ(described["required"].get<Names>(), required_keys) << type.name;
    if (type.max_inputs < 64) {
      EXPECT_EQ(described["properties"]["inputs"]["minItems"], type.min_inputs) << type.name;
      EXPECT_EQ(described["properties"]["inputs"]["maxItems"], type.max_inputs) << type.name;
    }
  }
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
