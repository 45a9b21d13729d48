#include "base/unknown_keys.hpp"

#include "base/error.hpp"
#include "base/json_reader.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

}  // namespace
}  // namespace mpsbench::base
