#include "model/parameters.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

using tests::json;

TEST(Parameters, AreReplacedHoweverDeep) {
  model::Environment outer("the model");
  outer.set("a", 1);
  outer.set("b", 2);
  model::Environment inner("the block 'x'", &outer);
  inner.set("a", json::array({3, 4}));
  const json value = {{"p", "$a"}, {"q", {"$b", "text", {{"r", "$b"}}}}};
  EXPECT_EQ(inner.resolve(base::Reader(value, "f")),
            json::parse(R"({"p": [3, 4], "q": [2, "text", {"r": 2}]})"));
  EXPECT_EQ(inner.unused(), "");
  EXPECT_EQ(outer.unused(), "a");
}

TEST(Parameters, AnUnknownOneIsNamedWithItsPlace) {
  const model::Environment none("the model");
  const json value = {{"p", {1, "$q"}}};
  EXPECT_EQ(tests::error_of([&] { static_cast<void>(none.resolve(base::Reader(value, "f"))); }),
            "f: $.p[1]: there is no parameter '$q' in the model");
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
