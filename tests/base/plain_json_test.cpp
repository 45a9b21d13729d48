#include "base/plain_json.hpp"

#include "base/json_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace mpsbench::base {
namespace {

TEST(PlainJson, ReadsStringsWithoutEscapes) {
  EXPECT_EQ(plain_string(R"("")"), "");
  EXPECT_EQ(plain_string(R"("a b~")"), "a b~");
  for (const char* text :
       {"", "\"", "a", "\"a", "a\"", R"("a\n")", R"("a"b")", "\"a\nb\"", "\"\x7F\"", "\"é\"", "1"})
    EXPECT_FALSE(plain_string(text)) << text;
  EXPECT_FALSE(plain_string(std::string("\"\0\"", 3)));
}

TEST(PlainJson, ReadsCounts) {
  EXPECT_EQ(plain_count("0"), 0);
  EXPECT_EQ(plain_count("120"), 120);
  EXPECT_EQ(plain_count("999999999999999999"), 999'999'999'999'999'999);
  for (const char* text : {"", "-1", "01", "1.0", "1e3", " 1", "1 ", "9999999999999999999", "null"})
    EXPECT_FALSE(plain_count(text)) << text;
}

TEST(PlainJson, ReadsNumbersAsTheParserDoes) {
  for (const char* text : {"0", "-0.5", "12", "0.1", "1e3", "1E-3", "2.5e+10", "0.00012345678901234567",
                           "123456789012345678901234567890", "1.7976931348623157e308", "5e-300",
                           "0.30000000000000004", "9007199254740993"})
    EXPECT_EQ(plain_number(text), nlohmann::json::parse(text).get<double>()) << text;
  for (const char* text : {"", "-", "+1", ".5", "1.", "01", "-01", "1e", "1e+", "0x10", "nan", "inf",
                           "Infinity", "1e400", "1 ", " 1", "1,", "\"1\"", "null"})
    EXPECT_FALSE(plain_number(text)) << text;
}

TEST(PlainJson, ReadsListsOfNumbers) {
  EXPECT_EQ(plain_numbers("[]"), std::vector<double>());
  EXPECT_EQ(plain_numbers("[ \n]"), std::vector<double>());
  EXPECT_EQ(plain_numbers("[1]"), std::vector<double>{1});
  EXPECT_EQ(plain_numbers("[\r\n 0.5,\t-2e3 , 3\n]"), (std::vector<double>{0.5, -2000, 3}));
  for (const char* text : {"", "[", "]", "1", "{}", "[1", "[1,]", "[,1]", "[1 2]", "[1]]", "[1] ", " [1]",
                           "[\"1\"]", "[null]", "[[1]]", "[01]", "[1e400]", "[1.]"})
    EXPECT_FALSE(plain_numbers(text)) << text;
}

}  // namespace
}  // namespace mpsbench::base
