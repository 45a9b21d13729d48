#include "base/json_reader.hpp"

#include "base/error.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace mpsbench::base {

namespace {

void read(const nlohmann::json& document) {
  Reader reader(document, "f.json");
  Reader inner = reader.at("inner");
  (void)inner.at("x").number();
  inner.done();
  reader.done();
}

TEST(UnknownKeys, AreCountedWhileOneExists) {
  const nlohmann::json known{{"inner", {{"x", 1}}}};
  const nlohmann::json newer{{"inner", {{"x", 1}, {"y", 2}}}, {"z", 3}};
  {
    const UnknownKeys outer;
    {
      const UnknownKeys unknown;
      read(known);
      EXPECT_EQ(unknown.words("f.json"), "");
      read(newer);
      EXPECT_EQ(unknown.words("f.json"),
                "f.json is of a newer version of mpsbench: 2 keys are ignored, such as $.inner.y");
    }
    EXPECT_EQ(outer.words("f.json"), "");
    read({{"inner", {{"x", 1}}}, {"z", 3}});
    EXPECT_EQ(outer.words("f.json"), "f.json is of a newer version of mpsbench: the key $.z is ignored");
    EXPECT_THROW(read({{"inner", {{"x", "wrong"}}}}), Error);
    EXPECT_THROW(read({{"inner", {{"y", 2}}}}), Error) << "a known one is missing";
  }
  EXPECT_THROW(read(newer), Error);
}

using nlohmann::json;
using tests::contains;
using tests::usage_error_of;

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// Returns the error that GETTER throws for the JSON text TEXT.
template <typename Getter>
std::string refusal(const std::string& text, Getter getter) {
  const json value = json::parse(text);
  return usage_error_of([&] { (void)getter(Reader(value, "f.json", "$.k")); });
}

TEST(Reader, KnowsItsPath) {
  const json document = {{"layers", {{{"kernel", {3, 3}}}}}};
  Reader root(document, "f.json");
  Reader layer = root.at("layers").item(0);
  EXPECT_EQ(root.path(), "$");
  EXPECT_EQ(layer.at("kernel").item(1).path(), "$.layers[0].kernel[1]");
  EXPECT_EQ((*layer.at("kernel").items().begin()).path(), "$.layers[0].kernel[0]");
  EXPECT_STREQ(layer.error("is wrong").what(), "f.json: $.layers[0]: is wrong");
  EXPECT_EQ(layer.file(), "f.json");
}

TEST(Reader, KeepsItsMessageShort) {
  const json document = {{std::string(100'000, 'k'), {{"deep", std::string(100'000, 'v')}}}};
  Reader root(document, "f.json");
  Reader inner = root.at(std::string(100'000, 'k'));
  EXPECT_LT(usage_error_of([&] { (void)inner.at("deep").boolean(); }).size(), 1000U);
  EXPECT_LT(usage_error_of([&] { (void)inner.at(std::string(100'000, 'm')); }).size(), 1000U);
  EXPECT_LT(usage_error_of([&] { Reader(document, "f.json").done(); }).size(), 1000U);
}

TEST(Reader, NamesAMissingKey) {
  const json document = {{"a", {{"b", 1}}}};
  Reader root(document, "f.json");
  EXPECT_EQ(usage_error_of([&] { (void)root.at("a").at("c"); }), "f.json: $.a: the key 'c' is missing");
}

TEST(Reader, FindsNothingForMissingAndNull) {
  const json document = {{"null", nullptr}, {"zero", 0}};
  Reader root(document, "f.json");
  EXPECT_FALSE(root.find("null"));
  EXPECT_FALSE(root.find("none"));
  ASSERT_TRUE(root.find("zero"));
  EXPECT_EQ(root.find("zero")->path(), "$.zero");
  EXPECT_TRUE(root.at("null").is_null());
  EXPECT_TRUE(root.has("null"));
  EXPECT_FALSE(root.has("none"));
  root.done();
}

TEST(Reader, RefusesKeysThatNobodyAskedFor) {
  const json document = {{"padding", 1}, {"stide", 2}};
  Reader root(document, "f.json");
  (void)root.at("padding");
  EXPECT_EQ(usage_error_of([&] { root.done(); }), "f.json: $: unknown key 'stide'");
  (void)root.find("stride");
  EXPECT_EQ(usage_error_of([&] { root.done(); }), "f.json: $: unknown key 'stide' (did you mean 'stride'?)");
  root.ignore("stide");
  root.done();
}

TEST(Reader, RefusesALongUnknownKeyQuickly) {
  const json document = {{std::string(4'000'000, 'x'), 1}};
  Reader root(document, "f.json");
  for (int i = 0; i < 50; ++i) root.ignore("an-option-of-this-name-" + std::to_string(i));
  EXPECT_FALSE(contains(usage_error_of([&] { root.done(); }), "did you mean"));
}

TEST(Reader, WantsAnObjectForKeys) {
  const std::string expected = "f.json: $.k: expected an object, found ";
  EXPECT_EQ(refusal("[1]", [](Reader r) { return r.at("a").path(); }), expected + "an array");
  EXPECT_EQ(refusal("3", [](Reader r) { return r.find("a").has_value(); }), expected + "3");
  EXPECT_EQ(refusal("null", [](Reader r) { return r.has("a"); }), expected + "null");
  EXPECT_EQ(refusal("\"x\"", [](Reader r) { return r.keys().size(); }), expected + "\"x\"");
  EXPECT_EQ(refusal("[]", [](Reader r) { return r.done(), 0; }), expected + "an array");
}

TEST(Reader, WantsAnArrayForItems) {
  const std::string expected = "f.json: $.k: expected an array, found ";
  EXPECT_EQ(refusal("{}", [](Reader r) { return r.size(); }), expected + "an object");
  EXPECT_EQ(refusal("true", [](Reader r) { return r.items().begin() == r.items().end(); }), expected + "true");
  EXPECT_EQ(refusal("null", [](Reader r) { return r.numbers().size(); }), expected + "null");
  EXPECT_EQ(refusal("1", [](Reader r) { return r.integers(0, 1).size(); }), expected + "1");
  EXPECT_TRUE(contains(refusal("[1]", [](Reader r) { return r.item(1).path(); }), "an array with more items"));
}

TEST(Reader, ReadsStringsAndSwitchesOnlyFromTheirOwnType) {
  for (const char* text : {"1", "true", "null", "[]", "{}"}) {
    EXPECT_TRUE(contains(refusal(text, [](Reader r) { return r.string(); }), "expected a string, found ")) << text;
  }
  for (const char* text : {"1", "0", "\"true\"", "null", "[]", "{}"}) {
    EXPECT_TRUE(contains(refusal(text, [](Reader r) { return r.boolean(); }), "expected true or false, found "))
        << text;
  }
  EXPECT_TRUE(Reader(json(true), "f.json").boolean());
}

TEST(Reader, TakesNoSwitchTextOrNullForANumber) {
  for (const char* text : {"true", "false", "null", "\"1\"", "[1]", "{}"}) {
    EXPECT_TRUE(contains(refusal(text, [](Reader r) { return r.number(); }), "expected a number, found ")) << text;
    EXPECT_TRUE(
        contains(refusal(text, [](Reader r) { return r.integer(0, 9); }), "expected a whole number from 0 to 9"))
        << text;
  }
}

TEST(Reader, HoldsNumbersToTheirRange) {
  const json half = 0.5;
  EXPECT_EQ(Reader(half, "f.json").number(0, 1), 0.5);
  EXPECT_EQ(Reader(half, "f.json").number(0.5, 0.5), 0.5);
  EXPECT_EQ(refusal("1.5", [](Reader r) { return r.number(0, 1); }),
            "f.json: $.k: expected a number from 0 to 1, found 1.5");
  EXPECT_EQ(refusal("-1", [](Reader r) { return r.number(0, 0.25); }),
            "f.json: $.k: expected a number from 0 to 0.25, found -1");
  const json endless = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(usage_error_of([&] { (void)Reader(endless, "f.json").number(); }), "expected a number"));
}

TEST(Reader, TakesOnlyWholeNumbersWithinTheirRange) {
  const auto any = [](Reader r) { return r.integer(kMin, kMax); };
  const json largest = kMax;
  const json smallest = kMin;
  EXPECT_EQ(any(Reader(largest, "f.json")), kMax);
  EXPECT_EQ(any(Reader(smallest, "f.json")), kMin);
  for (const char* text : {"1.5", "1.0", "1e3", "9223372036854775808", "18446744073709551615", "18446744073709551616",
                           "-9223372036854775809", "1e30"}) {
    EXPECT_TRUE(contains(refusal(text, any), "expected a whole number from ")) << text;
  }
  EXPECT_EQ(refusal("0", [](Reader r) { return r.integer(1, 4); }),
            "f.json: $.k: expected a whole number from 1 to 4, found 0");
  EXPECT_TRUE(contains(refusal("5", [](Reader r) { return r.integer(1, 4); }), "found 5"));
  EXPECT_TRUE(contains(refusal("-1", [](Reader r) { return r.integer(0, kMax); }), "found -1"));
}

TEST(Reader, NamesTheItemOfAListThatIsWrong) {
  EXPECT_EQ(refusal("[1, 2.5]", [](Reader r) { return r.integers(0, 9); }),
            "f.json: $.k[1]: expected a whole number from 0 to 9, found 2.5");
  EXPECT_EQ(refusal("[1, null]", [](Reader r) { return r.numbers(); }),
            "f.json: $.k[1]: expected a number, found null");
  EXPECT_EQ(refusal("[true]", [](Reader r) { return r.numbers(); }), "f.json: $.k[0]: expected a number, found true");
}

TEST(Reader, ReadsLists) {
  const json value = {1, 2, 3};
  const Reader reader(value, "f.json");
  EXPECT_EQ(reader.integers(1, 3), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(reader.numbers(), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(reader.size(), 3U);
}

TEST(Reader, CutsWhatItFoundAndKeepsItOnOneLine) {
  const std::string message = refusal("\"" + std::string(1000, 'x') + "\"", [](Reader r) { return r.boolean(); });
  EXPECT_LT(message.size(), 150U);
  EXPECT_TRUE(contains(message, "xxx..."));
  EXPECT_FALSE(contains(refusal("\"a\\nb\"", [](Reader r) { return r.boolean(); }), "\n"));
}

TEST(DidYouMean, FindsASlipOfTheFingersOnly) {
  const std::vector<std::string> names{"vgg16", "resnet50", "bert-base", "cpu", "mps"};
  for (const auto& [word, meant] : {std::pair{"resnet5", "resnet50"},
                                    {"bertbase", "bert-base"},
                                    {"vgg61", "vgg16"},  // two letters swapped
                                    {"brte-base", "bert-base"},
                                    {"gpu", "cpu"},
                                    {"RESNET5", "resnet50"}})
    EXPECT_EQ(did_you_mean(word, names), " (did you mean '" + std::string(meant) + "'?)");
  for (const char* word : {"vgg91", "xyz", "alexnet", ""}) EXPECT_EQ(did_you_mean(word, names), "") << word;
  EXPECT_EQ(did_you_mean("m", {"M", "N"}), " (did you mean 'M'?)");
}

TEST(DidYouMean, NamesTheShortestNamesThatBeginWithTheWord) {
  const std::vector<std::string> names{"bert-base", "bert-tiny", "vgg11",    "vgg11_bn",
                                       "vgg13",     "vgg16",     "vgg16_bn", "vgg19"};
  EXPECT_EQ(did_you_mean("vgg", names), " (did you mean 'vgg11', 'vgg13', 'vgg16' or 'vgg19'?)");
  EXPECT_EQ(did_you_mean("bert", names), " (did you mean 'bert-base' or 'bert-tiny'?)");
  EXPECT_EQ(did_you_mean("v", names), "") << "one letter says too little";
  EXPECT_EQ(did_you_mean("", names), "");
  EXPECT_EQ(did_you_mean("vgg", {"vgg" + std::string(1000, 'x')}), "") << "from an untrusted file";
}

}  // namespace

}  // namespace mpsbench::base
