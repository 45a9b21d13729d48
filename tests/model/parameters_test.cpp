#include "model/parameters.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

using tests::json;

TEST(Parameters, AreReplacedInListsAndObjects) {
  model::Environment outer("the model");
  outer.set("a", 1);
  outer.set("b", 2);
  model::Environment inner("the block 'x'", &outer);
  inner.set("a", json::array({3, 4}));
  const auto resolved = [&inner](const json& value) { return inner.resolve(base::Reader(value, "f")); };
  EXPECT_EQ(resolved({{"p", "$a"}, {"q", "text"}, {"r", "$b"}}), json::parse(R"({"p": [3, 4], "q": "text", "r": 2})"));
  EXPECT_EQ(resolved({"$b", "text"}), json::parse(R"([2, "text"])"));
  EXPECT_EQ(resolved("$a"), json::array({3, 4}));
  EXPECT_EQ(inner.unused(), "");
  EXPECT_EQ(outer.unused(), "a");
}

TEST(Parameters, AreOfFlatAndShortValues) {
  const model::Environment none("the model");
  const auto refusal = [&none](const json& value) {
    return tests::error_of([&] { (void)none.resolve(base::Reader(value, "f")); });
  };
  EXPECT_EQ(refusal({1, "$q"}), "f: $[1]: there is no parameter '$q' in the model");
  EXPECT_EQ(refusal(json::array({json::array()})), "f: $[0]: expected a number, true, false or a string");
  EXPECT_EQ(refusal(std::vector<int>(64)), "");
  EXPECT_EQ(refusal(std::vector<int>(65)), "f: $: must not have more than 64 items");
}

TEST(Parameters, MayBeNumbersSwitchesTextsAndLists) {
  const auto error = [](const json& value) {
    return tests::error_of([&] { model::require_parameter_value(base::Reader(value, "f")); });
  };
  for (const json& good : {json(1), json(0.5), json(true), json("text"), json::array({1, 2})})
    EXPECT_EQ(error(good), "");
  for (const json& bad : {json(nullptr), json("$x"), json::array(), json::array({0.5}), json::object(),
                          json(std::string(101, 'a')), json::array({json::array({1})})}) {
    EXPECT_NE(error(bad), "") << bad;
  }
}

TEST(Parameters, QuotedTextsAreShortAndOnOneLine) {
  EXPECT_EQ(model::in_quotes("a\nb"), "'a\\nb'");
  EXPECT_LT(model::in_quotes(std::string(1000, 'x')).size(), 70U);
}

}  // namespace
}  // namespace mpsbench
