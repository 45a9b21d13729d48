// Compares the table of layer types with its two descriptions, the JSON Schema and docs/models.md.
#include "model/layer_table.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mpsbench {
namespace {

using tests::json;
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
      EXPECT_NE(row.find("`" + std::string(option.key)), std::string::npos) << type.name << " " << option.key;
    }
  }
}

}  // namespace
}  // namespace mpsbench
