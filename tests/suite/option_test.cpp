#include "suite/option.hpp"

#include "base/json_file.hpp"
#include "suite/catalog.hpp"
#include "support/errors.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <set>

namespace mpsbench::suite {
namespace {

// Returns the error message for TEXT, or an empty text if the option accepts it.
std::string check(const std::string& option, const std::string& text) {
  Settings settings;
  try {
    find_option(option)->set(settings, text, "");
    return "";
  } catch (const base::Error& error) {
    return std::string(error.what()).substr(2);  // without ": ", which follows the empty origin
  }
}

using nlohmann::json;

bool is_suite(const json& document) {
  try {
    (void)read_suite(document, "s.json");
    return true;
  } catch (const base::Error&) {
    return false;
  }
}

const json& table() {
  static const json all = base::read_json_file(std::filesystem::path(MPSBENCH_SOURCE_DIR) / "tests/suite/values.json");
  return all;
}

TEST(Options, AreThoseOfTheTableAndOfTheCommandLine) {
  std::set<std::string> known{"baseline", "versus", "force", "export-json", "dump-first-step", "resume", "dry-run"};
  for (const auto& [name, values] : table()["values"].items()) known.insert(name);
  std::set<std::string> names;
  for (const Option& option : options()) names.insert(option.name);
  EXPECT_EQ(names, known);
  EXPECT_EQ(options().size(), known.size()) << "an option appears twice";
}

TEST(Options, TakeTheValuesOfTheTableInSuites) {
  for (const Option& option : options()) {
    if (option.traits.place == OptionPlace::command_line) continue;
    const bool in_matrix = option.traits.place == OptionPlace::matrix;
    const auto expect = [&](const json& values, bool is_good) {
      for (const json& value : values) {
        const json own{{option.name, value}};
        json suite{{"name", "s"}, {"matrices", json::array({json::object()})}};
        suite.update(own);
        EXPECT_EQ(is_suite(suite), is_good) << own;
        EXPECT_EQ(is_suite({{"name", "s"}, {"matrices", json::array({own})}}), is_good && in_matrix) << own;
      }
    };
    const json& values = table()["values"][option.name];
    expect(values["accepted"], true);
    expect(option.choices, true);
    expect(values["refused"], false);
    expect(values.value("refused_by_reader", json::array()), false);
  }
  for (const json& suite : table()["accepted_suites"]) EXPECT_TRUE(is_suite(suite)) << suite;
  for (const json& suite : table()["refused_suites"]) EXPECT_FALSE(is_suite(suite)) << suite;
}

TEST(Options, HaveThePromisedShortNames) {
  std::map<std::string, std::string> short_names;
  for (const Option& option : options()) {
    if (!option.short_name.empty()) {
      EXPECT_TRUE(short_names.emplace(option.short_name, option.name).second);
    }
  }
  const std::map<std::string, std::string> promised{{"m", "model"},  {"d", "device"},  {"b", "batch-size"},
                                                    {"w", "warmup"}, {"r", "repeats"}, {"q", "quiet"}};
  EXPECT_EQ(short_names, promised);
}

TEST(Options, AreDescribed) {
  for (const Option& option : options()) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    const bool flag = option.kind == OptionKind::flag;
    EXPECT_EQ(option.value_name.empty(), flag) << option.name;
  }
}

// Returns the first of a list of texts that OPTION accepts.
std::string good_text(const Option& option) {
  if (!option.choices.empty()) return option.choices.front();
  for (const char* text : {"true", "7", "50%", "0.5", "cpu", "sgd", "layers=4"}) {
    if (check(option.name, text).empty()) return text;
  }
  return "";
}

TEST(Options, HaveEachASettingOfTheirOwn) {
  for (const Option& option : options()) {
    Settings settings;
    option.set(settings, good_text(option), "here");
    EXPECT_EQ(option.in(settings).name(), option.name);
    Settings above;
    option.overlay(above, settings);
    for (const Option& other : options()) {
      EXPECT_EQ(other.in(settings).has(), other.name == option.name) << option.name << ", " << other.name;
      EXPECT_EQ(other.in(above).has(), other.name == option.name) << option.name << ", " << other.name;
    }
    EXPECT_EQ(option.in(above).origin(), "here") << option.name;
    option.overlay(settings, Settings());
    EXPECT_TRUE(option.in(settings).has()) << option.name;
    option.clear(settings);
    EXPECT_FALSE(option.in(settings).has()) << option.name;
  }
}

TEST(Options, SayOnceWhatTwoValuesMean) {
  const std::string help = find_option("precision")->help;
  EXPECT_TRUE(tests::contains(help, "; bf16 or fp16 is autocast over fp32 weights; pure-bf16 or pure-fp16 ")) << help;
}

TEST(Options, AreFoundByTheirWholeName) {
  EXPECT_EQ(find_option("batch-size")->short_name, "b");
  EXPECT_EQ(find_option("batch"), nullptr);
  EXPECT_EQ(find_option("b"), nullptr);
  EXPECT_EQ(find_option(""), nullptr);
}

TEST(Options, SayWhatTheyExpect) {
  EXPECT_EQ(check("precision", "fp8"),
            "unknown value 'fp8'; known: fp32, tf32, bf16, fp16, pure-bf16, pure-fp16, int8, int4");
  EXPECT_EQ(check("compile-mode", "default,max-autotune"),
            "takes one value, not the list 'default,max-autotune'; known: default, max-autotune");
  EXPECT_EQ(check("threads", "0"), "expected whole numbers from 1 to 4096 such as 1,2,4 or 1-8*2, found '0'");
  EXPECT_EQ(check("rows", "x"), "expected a whole number of at least 1, found 'x'");
  EXPECT_EQ(check("gate-on", "step,energy=1%,step=3%"), "names step twice");
  EXPECT_EQ(check("gate-on", "peak-memory=5"),
            "expected a share above 0 and up to 100 %, such as 1% or 0.01, found '5'; did you mean 5%?");
  EXPECT_EQ(check("alpha", "2"),
            "expected a share above 0 and up to 50 %, such as 1% or 0.01, found '2'; did you mean 2%?");
}

TEST(Options, SuggestTheNearestChoice) {
  EXPECT_EQ(check("mode", "train,infre"),
            "unknown value 'infre' (did you mean 'infer'?); known: train, infer, generate, data");
  EXPECT_EQ(check("loss", "cross-entropy").substr(0, 62),
            "unknown value 'cross-entropy' (did you mean 'cross_entropy'?);");
  EXPECT_EQ(
      check("gate-on", "latency"),
      "unknown value 'latency' (did you mean 'latency-p99'?); known: step, latency-p99, first-token, peak-memory, "
      "energy");
  EXPECT_EQ(check("color", "nevr"), "unknown value 'nevr' (did you mean 'never'?); known: auto, always, never");
}

TEST(Options, SayThatAValueIsEmpty) {
  for (const Option& option : options()) {
    if (option.kind == OptionKind::flag || option.name == "filter") continue;  // an empty filter matches all
    EXPECT_TRUE(tests::contains(check(option.name, ""), "empty")) << option.name;
  }
  EXPECT_EQ(check("precision", ""),
            "must not be empty; known: fp32, tf32, bf16, fp16, pure-bf16, pure-fp16, int8, int4");
  EXPECT_EQ(check("threads", ""), "expected whole numbers from 1 to 4096 such as 1,2,4 or 1-8*2, found an empty value");
}

TEST(Options, KnowTheirChoices) {
  const auto choices = [](const char* name) { return find_option(name)->choices; };
  EXPECT_EQ(choices("input"), (std::vector<std::string>{"device", "host"}));
  EXPECT_EQ(choices("mode"), (std::vector<std::string>{"train", "infer", "generate", "data"}))
      << "suggestions for an item of a list";
  for (const char* open : {"model", "device", "seed", "quiet"}) EXPECT_TRUE(choices(open).empty()) << open;
}

TEST(Options, CheckAFilterWithoutFallingOver) {
  EXPECT_EQ(check("filter", std::string(100'000, '(')), "a regular expression may have at most 1000 characters");
}

}  // namespace
}  // namespace mpsbench::suite
