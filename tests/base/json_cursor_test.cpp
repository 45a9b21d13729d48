#include "base/json_cursor.hpp"

#include "support/errors.hpp"

#include <functional>
#include <vector>

namespace mpsbench::base {
namespace {

using tests::usage_error_of;

// Returns all values at the second level, as text.
std::vector<std::string> walk(std::string_view text) {
  std::vector<std::string> seen;
  JsonCursor cursor(text, "a.json");
  cursor.members([&](std::string_view key) {
    if (key == "list") {
      cursor.items([&] { seen.emplace_back(cursor.take()); });
    } else if (key != "skipped") {
      seen.push_back(std::string(key) + "=" + std::string(cursor.take()));
    }
  });
  cursor.done();
  return seen;
}

TEST(JsonCursor, GivesTheTextOfValuesAndPassesOverTheRest) {
  EXPECT_EQ(walk("\xEF\xBB\xBF { \"a\" : 1.5e3 ,\"skipped\":{\"x\":[1,{\"y\":\"]}\\\"\"}]}, \"list\": [true, [2,3] "
                 ",\"s\"],\n\"b\":null}\n"),
            (std::vector<std::string>{"a=1.5e3", "true", "[2,3]", "\"s\"", "b=null"}));
  EXPECT_TRUE(walk("{}").empty());
  EXPECT_TRUE(walk(R"({"list": []})").empty());
}

// The cursor skips text in words of eight bytes, so this test puts the end of a text at every place of a
// word.
TEST(JsonCursor, FindsTheEndsOfTextsOfAnyLength) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string blanks(length, ' ');
    const std::string letters(length, 'Y');
    const std::string string = "\"" + letters + R"(\"\\[{]})" + letters + "\"";
    const std::string nested = "[1" + blanks + ",{\"" + letters + "\":" + string + blanks + "}" + blanks + "]";
    EXPECT_EQ(walk("{\"list\":[" + string + "," + nested + "],\"skipped\":" + nested + ",\"a\":" + string + "}"),
              (std::vector<std::string>{string, nested, "a=" + string}))
        << length;
    EXPECT_NE(usage_error_of([&] { (void)walk("{\"a\": \"" + letters); }).find("a string has no closing quote"),
              std::string::npos);
    EXPECT_NE(usage_error_of([&] { (void)walk("{\"a\": [" + blanks); }).find("expected ']'"), std::string::npos);
  }
}

TEST(JsonCursor, RefusesWhatIsNotJson) {
  for (const char* text : {"",
                           "  ",
                           "[1]",
                           "3",
                           "{",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":}",
                           "{\"a\" 1}",
                           "{a: 1}",
                           "{\"a\": 1",
                           "{\"a\": 1} x",
                           "{\"a\": 1 \"b\": 2}",
                           "{\"a\": [1}",
                           "{\"a\": [1",
                           "{\"a\": \"x}",
                           "{\"a\": \"x\\",
                           "{,}",
                           "{\"a\": 1,}",
                           "{\"list\": [1 2]}",
                           "{\"list\": {}}",
                           "{\"list\": [1,]}"}) {
    const std::string message = usage_error_of([&] { (void)walk(text); });
    EXPECT_EQ(message.rfind("a.json: not valid JSON: ", 0), 0U) << text << ": " << message;
  }
}

TEST(JsonCursor, RefusesDeepNesting) {
  const auto nested = [](std::size_t levels) {
    return "{\"a\": " + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  EXPECT_EQ(walk(nested(63)).size(), 1U);
  EXPECT_NE(usage_error_of([&] { (void)walk(nested(64)); }).find("nested too deeply"), std::string::npos);
  EXPECT_NE(usage_error_of([&] { (void)walk(nested(100'000)); }).find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace mpsbench::base
