#include "suite/catalog.hpp"
#include "suite/support.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::suite {
namespace {

using nlohmann::json;
using tests::usage_error_of;

Settings read(const json& document) {
  base::Reader reader(document, "s.json", "$.matrices[0]");
  return read_settings(reader, OptionPlace::matrix);
}

std::string settings_refusal(const json& document) {
  return usage_error_of([&] { (void)read(document); });
}

TEST(ReadSettings, TakesJsonAsAPersonWouldTypeIt) {
  const Settings settings = read({{"model", {"mlp", "vgg16"}},
                                  {"batch-size", {1, "8-16*2", 32}},
                                  {"max-time", 1.5},
                                  {"min-time", "500ms"},
                                  {"max-noise", 1e-7},
                                  {"channels-last", false},
                                  {"mode", "train,infer"}});
  EXPECT_EQ(settings.models.value(), (std::vector<std::string>{"mlp", "vgg16"}));
  EXPECT_EQ(settings.batch_sizes.value().everywhere.sizes, (std::vector<std::int64_t>{1, 8, 16, 32}));
  EXPECT_EQ(settings.max_time_seconds.value(), 1.5);
  EXPECT_EQ(settings.max_noise.value(), 1e-7);
  EXPECT_FALSE(settings.of_case.of<&schema::CaseSpec::channels_last>().is_on());
  EXPECT_EQ(settings.of_case.of<&schema::CaseSpec::channels_last>().origin(), "s.json: $.matrices[0].channels-last");
}

TEST(ReadSettings, TakesTheItemsOfAnArrayAsTheyAre) {
  const Settings settings = read({{"model", {"a,b.pt", R"(c\)", R"(d\,e)"}}, {"input-shape", {"3x8x8", "16:100"}}});
  EXPECT_EQ(settings.models.value(), (std::vector<std::string>{"a,b.pt", R"(c\)", R"(d\,e)"}));
  EXPECT_EQ(settings.input_shapes.value().size(), 2U);
  EXPECT_EQ(read({{"model", R"(a\,b.pt,c)"}}).models.value(), (std::vector<std::string>{"a,b.pt", "c"}));
}

TEST(ReadSettings, LeavesKeysOfOtherGroupsAlone) {
  const Settings settings = read({{"color", "never"}, {"resume", "x"}, {"surprise", 1}});
  for (const Option& option : options()) EXPECT_FALSE(option.in(settings).has()) << option.name;
}

TEST(ReadSettings, NamesThePathOfAWrongValue) {
  EXPECT_EQ(settings_refusal({{"repeats", 0}}),
            "s.json: $.matrices[0].repeats: expected a whole number from 1 to 10000, found '0'");
  EXPECT_EQ(settings_refusal({{"model", json::array()}}), "s.json: $.matrices[0].model: the list is empty");
  EXPECT_EQ(settings_refusal({{"model", {"mlp", true}}}),
            "s.json: $.matrices[0].model[1]: expected a text or a number, as for --model");
  EXPECT_EQ(settings_refusal({{"repeats", {1, 2}}}),
            "s.json: $.matrices[0].repeats: expected a text or a number, as for --repeats");
  EXPECT_EQ(settings_refusal({{"channels-last", "maybe"}}),
            "s.json: $.matrices[0].channels-last: expected true or false, found \"maybe\"");
  for (const json& value : {json(nullptr), json(true), json::object()}) {
    EXPECT_TRUE(tests::contains(settings_refusal({{"max-time", value}}), "expected a text or a number")) << value;
  }
  EXPECT_TRUE(tests::contains(settings_refusal({{"channels-last", 1}}), "expected true or false"));
  EXPECT_TRUE(tests::contains(settings_refusal({{"batch-size", 1.5}}), "found '1.5'"));
  EXPECT_TRUE(
      tests::contains(settings_refusal({{"seed", 18446744073709551615U}}), "expected a whole number of at least 0"));
  EXPECT_TRUE(tests::contains(settings_refusal({{"model", {"mlp", ""}}}), "an item of 'mlp,' is empty"));
}

}  // namespace
}  // namespace mpsbench::suite
