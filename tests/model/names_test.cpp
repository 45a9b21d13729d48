#include "model/names.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

TEST(Names, FindsInnermostFirst) {
  model::Names names;
  EXPECT_TRUE(names.add("x", 0));
  EXPECT_TRUE(names.add("a.x", 1));
  EXPECT_TRUE(names.add("a.b.c", 2));
  EXPECT_FALSE(names.add("a.x", 3));
  EXPECT_EQ(names.find("a.b", "x"), 1);
  EXPECT_EQ(names.find("", "x"), 0);
  EXPECT_EQ(names.find("z", "x"), 0);
  EXPECT_EQ(names.find("a.z", "b.c"), 2);
  EXPECT_EQ(names.find("a.b", "y"), std::nullopt);
  EXPECT_EQ(names.near("a"), (std::vector<std::string>{"b.c", "x"}));
}

TEST(Names, ScopesCompose) {
  EXPECT_EQ(model::Scope{"layer1"}.full_name("0"), "layer1.0");
  EXPECT_EQ(model::Scope{}.full_name("0"), "0");
}

TEST(Names, TheRoundTakesThePlaceOfI) {
  EXPECT_EQ(model::with_index("b{i}_{i}", 12), "b12_12");
  EXPECT_EQ(model::with_index("plain", std::nullopt), "plain");
  EXPECT_EQ(model::with_index("b{i}", std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace mpsbench
