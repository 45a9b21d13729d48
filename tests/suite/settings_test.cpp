#include "suite/settings.hpp"

#include "suite/support.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::suite {
namespace {

using nlohmann::json;
using tests::settings_of;
using tests::usage_error_of;

const std::vector<OptionGroup> kMatrix{OptionGroup::workload, OptionGroup::measuring};

Settings read(const json& document) {
  Settings settings;
  base::Reader reader(document, "s.json", "$.matrices[0]");
  settings.read(reader, kMatrix);
  return settings;
}

std::string refusal(const json& document) {
  return usage_error_of([&] { (void)read(document); });
}

TEST(Settings, GiveTheirTextsAsWhatTheyAre) {
  const Settings settings = settings_of({{"seed", "7"},
                                         {"max-time", "500ms"},
                                         {"max-noise", "2%"},
                                         {"dropout", "0.5"},
                                         {"mode", "infer,train"},
                                         {"channels-last", "true"}});
  EXPECT_EQ(settings.count("seed"), 7);
  EXPECT_EQ(settings.seconds("max-time"), 0.5);
  EXPECT_EQ(settings.ratio("max-noise"), 0.02);
  EXPECT_EQ(settings.number("dropout"), 0.5);
  EXPECT_EQ(settings.list("mode", {}), (std::vector<std::string>{"infer", "train"}));
  EXPECT_TRUE(settings.flag("channels-last"));
  EXPECT_EQ(settings.text("seed"), "7");
  EXPECT_TRUE(settings.has("seed"));
}

TEST(Settings, AreAbsentUntilSet) {
  const Settings none;
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.has("seed"));
  EXPECT_FALSE(none.text("seed") || none.count("seed") || none.number("dropout") || none.seconds("timeout") ||
               none.ratio("max-noise"));
  EXPECT_FALSE(none.flag("channels-last"));
  EXPECT_EQ(none.list("mode", {"train"}), (std::vector<std::string>{"train"}));
}

TEST(Settings, AreCheckedWhenSetAndNameTheirOrigin) {
  EXPECT_EQ(usage_error_of([] { (void)settings_of({{"threads", "0"}}); }),
            "--threads: expected a whole number from 1 to 4096, found '0'");
}

TEST(Settings, OfTheUpperLayerHideThoseBelow) {
  const Settings below = settings_of({{"seed", "1"}, {"rows", "10"}});
  const Settings above = settings_of({{"seed", "2"}, {"repeats", "5"}});
  const Settings merged = below.overlaid_with(above);
  EXPECT_EQ(merged.count("seed"), 2);
  EXPECT_EQ(merged.count("rows"), 10);
  EXPECT_EQ(merged.count("repeats"), 5);
  EXPECT_EQ(below.count("seed"), 1);
}

TEST(Settings, EpochsAndIterationsHideEachOther) {
  const Settings epochs = settings_of({{"epochs", "1"}});
  const Settings iterations = settings_of({{"iterations", "5"}});
  EXPECT_FALSE(epochs.overlaid_with(iterations).has("epochs"));
  EXPECT_FALSE(iterations.overlaid_with(epochs).has("iterations"));
  EXPECT_TRUE(epochs.overlaid_with(settings_of({{"repeats", "2"}})).has("epochs"));
  const Settings both = epochs.overlaid_with(settings_of({{"epochs", "2"}, {"iterations", "5"}}));
  EXPECT_TRUE(both.has("epochs") && both.has("iterations"));  // which is refused by name
}

TEST(Settings, RememberTheOriginOfTheLayerThatWon) {
  const Settings below = read({{"batch-size", 8}, {"rows", 10}});
  const Settings merged = below.overlaid_with(settings_of({{"batch-size", "4"}}));
  EXPECT_STREQ(merged.error("batch-size", "is too large").what(), "--batch-size: is too large");
  EXPECT_STREQ(merged.error("rows", "are few").what(), "s.json: $.matrices[0].rows: are few");
  EXPECT_STREQ(merged.error("seed", "is odd").what(), "--seed: is odd");
}

TEST(Settings, ReadJsonAsAPersonWouldTypeIt) {
  const Settings settings = read({{"model", {"mlp", "vgg16"}},
                                  {"batch-size", {1, "8-16*2", 32}},
                                  {"max-time", 1.5},
                                  {"min-time", "500ms"},
                                  {"max-noise", 1e-7},
                                  {"channels-last", false},
                                  {"mode", "train,infer"}});
  EXPECT_EQ(settings.text("model"), "mlp,vgg16");
  EXPECT_EQ(settings.text("batch-size"), "1,8-16*2,32");
  EXPECT_EQ(settings.seconds("max-time"), 1.5);
  EXPECT_EQ(settings.ratio("max-noise"), 1e-7);
  EXPECT_FALSE(settings.flag("channels-last"));
  EXPECT_TRUE(settings.has("channels-last"));
}

TEST(Settings, LeaveKeysOfOtherGroupsAlone) {
  EXPECT_TRUE(read({{"output", "md"}, {"resume", "x"}, {"surprise", 1}}).empty());
}

TEST(Settings, NameThePathOfAWrongValue) {
  EXPECT_EQ(refusal({{"repeats", 0}}),
            "s.json: $.matrices[0].repeats: expected a whole number from 1 to 10000, found '0'");
  EXPECT_EQ(refusal({{"model", json::array()}}), "s.json: $.matrices[0].model: the list is empty");
  EXPECT_EQ(refusal({{"model", {"mlp", true}}}),
            "s.json: $.matrices[0].model[1]: expected a text or a number, as for --model");
  EXPECT_EQ(refusal({{"repeats", {1, 2}}}),
            "s.json: $.matrices[0].repeats: expected a text or a number, as for --repeats");
  EXPECT_EQ(refusal({{"channels-last", "maybe"}}),
            "s.json: $.matrices[0].channels-last: expected true or false, found \"maybe\"");
  for (const json& value : {json(nullptr), json(true), json::object()}) {
    EXPECT_TRUE(tests::contains(refusal({{"max-time", value}}), "expected a text or a number")) << value;
  }
  EXPECT_TRUE(tests::contains(refusal({{"channels-last", 1}}), "expected true or false"));
  EXPECT_TRUE(tests::contains(refusal({{"batch-size", 1.5}}), "found '1.5'"));
  EXPECT_TRUE(
      tests::contains(refusal({{"seed", 18446744073709551615U}}), "expected a whole number of at least 0"));
  EXPECT_TRUE(tests::contains(refusal({{"model", {"mlp", ""}}}), "items between commas"));
}

TEST(Settings, GiveTheValuesOfClosedSets) {
  const Settings settings = settings_of({{"precision", "bf16,fp32"}, {"pad", "longest"}});
  using schema::Precision;
  EXPECT_EQ(settings.choices<Precision>("precision", {}), (std::vector{Precision::bf16, Precision::fp32}));
  EXPECT_EQ(settings.choice<schema::Pad>("pad"), schema::Pad::longest);
  EXPECT_EQ(settings.choice<schema::Input>("input"), std::nullopt);
  EXPECT_EQ(settings.choices<schema::Engine>("engine", {schema::Engine::eager}),
            std::vector{schema::Engine::eager});
}

}  // namespace
}  // namespace mpsbench::suite
