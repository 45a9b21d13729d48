#include "model/definition.hpp"

#include "model/networks.hpp"
#include "schema/report.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace mpsbench {
namespace {

using tests::json;

json table() {
  static const json all = base::read_json_file(tests::test_files() / "broken/table.json");
  return all;
}

json broken(const json& change) {
  json document = table()["base"];
  const json replaced = change.value("set", json::object());
  for (const auto& [pointer, value] : replaced.items()) {
    document[json::json_pointer(pointer)] = value;
  }
  const json removed = change.value("remove", json::array());
  for (const json& pointer : removed) {
    const json::json_pointer place(pointer.get<std::string>());
    json& parent = document[place.parent_pointer()];
    if (parent.is_array()) {
      parent.erase(std::stoul(place.back()));
    } else {
      parent.erase(place.back());
    }
  }
  return document;
}

TEST(Definition, ReadsWhatTheFileSays) {
  const model::Definition vgg = tests::load_model("vgg16");
  EXPECT_EQ(vgg.name, "vgg16");
  EXPECT_EQ(vgg.classes, 1000);
  EXPECT_EQ(vgg.dropout, 0.5);
  EXPECT_EQ(vgg.batch_size, 32);
  EXPECT_EQ(vgg.rows, 50000);
  EXPECT_EQ(vgg.loss, "cross_entropy");
  EXPECT_EQ(vgg.optimizer.name, "sgd");
  EXPECT_EQ(vgg.optimizer.settings.at("lr"), 1e-3);
  EXPECT_EQ(vgg.optimizer.settings.at("momentum"), 0.9);
  EXPECT_EQ(vgg.optimizer.settings.at("weight_decay"), 0);

  const model::Definition bert = tests::load_model("bert-base");
  EXPECT_EQ(bert.classes, 6);
  EXPECT_EQ(bert.optimizer.name, "adamw");
  EXPECT_EQ(bert.optimizer.settings.at("lr"), 1e-5);
  EXPECT_FALSE(tests::load_model("resnet18").dropout);
}

TEST(Definition, EveryFileOfModelsIsNamedAsItsModel) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(tests::source_folder() / "models")) {
    EXPECT_EQ(tests::load(file.path()).name, file.path().stem());
    ++count;
  }
  EXPECT_GE(count, 19);
}

TEST(Definition, FingerprintIgnoresLayoutButNoValue) {
  const json one = json::parse(R"({"a": 1, "b": [1, 2]})");
  const json other_layout = json::parse(R"({  "b":[1,2],"a":1})");
  const json other_value = json::parse(R"({"a": 1, "b": [2, 1]})");
  EXPECT_EQ(schema::definition_sha256(one), schema::definition_sha256(other_layout));
  EXPECT_NE(schema::definition_sha256(one), schema::definition_sha256(other_value));
  EXPECT_EQ(schema::definition_sha256(one).size(), 64U);
  EXPECT_EQ(tests::load_model("mlp").sha256, schema::definition_sha256(tests::load_model("mlp").document));
}

TEST(Definition, TakesNamesOfEveryScript) {
  for (const char* name :
       {"a", "A-1_b.c", "\u6a21\u578b", "\u043c\u043e\u0434\u0435\u043b\u044c", "e\u0301", "\U0001F642"})
    EXPECT_TRUE(model::is_model_name(name)) << name;
  // Separators, what changes how a terminal shows the rest, what shows nothing, and what is not UTF-8.
  for (const char* name : {"", "a/b", "a+b", "a b", "a=b", "a,b", "a\nb", "a\u202eb", "a\u200bb", "a\u00a0b", "\u3000",
                           "a\u00adb", "\U000E0041", "\xff", "\xe6\xa8"})
    EXPECT_FALSE(model::is_model_name(name)) << name;
  std::string longest;
  for (int i = 0; i < 100; ++i) longest += "\u6a21";
  EXPECT_TRUE(model::is_model_name(longest));
  EXPECT_FALSE(model::is_model_name(longest + "a"));
}

TEST(Definition, AcceptsTheBaseOfTheTable) {
  EXPECT_EQ(tests::error_of([] { return model::read_definition(table()["base"], "base.json"); }), "");
}

TEST(Definition, EveryBrokenFileIsOneLineWithItsPath) {
  const json whole = table();
  json cases = whole["refused_by_schema"];
  for (const json& change : whole["accepted_by_schema"]) cases.push_back(change);
  ASSERT_GT(cases.size(), 100U);
  for (const json& change : cases) {
    const std::string message =
        tests::error_of([&] { (void)tests::plan_of(model::read_definition(broken(change), "tiny.json"), 2); });
    const std::string place = "tiny.json: " + change["path"].get<std::string>() + ": ";
    EXPECT_EQ(message.substr(0, place.size()), place) << change["change"] << "\n" << message;
    EXPECT_TRUE(tests::contains(message, change["text"].get<std::string>())) << change["change"] << "\n" << message;
    EXPECT_FALSE(tests::contains(message, "\n"));
  }
}

TEST(Definition, TheExampleOnThePageIsOne) {
  const std::string text = base::read_text_file(tests::source_folder() / "docs/models.md", 1 << 20);
  const std::size_t fence = text.find("```json\n", text.find("### A larger example"));
  ASSERT_NE(fence, std::string::npos);
  const std::string example = text.substr(fence + 8, text.find("```", fence + 8) - fence - 8);
  const model::Definition definition = model::read_definition(base::parse_json(example, "example"), "example");
  const schema::NetworkPlan plan = tests::plan_of(definition, 4);
  EXPECT_EQ(plan.nodes.front().name, "stem.0");
  EXPECT_EQ(plan.nodes.back().name, "head");
  EXPECT_EQ(plan.nodes.back().shape, (schema::Shape{4, 10}));
}

TEST(Definition, RefusesWhatIsNoObject) {
  for (const json& document : {json::array(), json(3), json("text"), json(nullptr)}) {
    EXPECT_TRUE(tests::contains(tests::error_of([&] { (void)model::read_definition(document, "x.json"); }),
                                "x.json: $: expected an object"));
  }
}

}  // namespace
}  // namespace mpsbench
