#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace mpsbench::base {

namespace {

TEST(FirstCodePoint, IsOfAnyLength) {
  for (const auto& [text, value, bytes] : {std::tuple{"aé", 0x61U, 1U},
                                           {"\xC3\xA9x", 0xE9U, 2U},
                                           {"\xE2\x82\xAC", 0x20ACU, 3U},
                                           {"\xF0\x9F\x98\x80", 0x1F600U, 4U}}) {
    const CodePoint point = first_code_point(text);
    EXPECT_TRUE(point.valid);
    EXPECT_EQ(point.value, value);
    EXPECT_EQ(point.bytes, bytes);
  }
}

TEST(FirstCodePoint, IsNotValidWhereTheBytesAreNot) {
  for (const char* text : {"\x80", "\xC3", "\xE2\x82", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF0\x80\x80\xAF",
                           "\xF4\x90\x80\x80", "\xFF"}) {
    EXPECT_FALSE(first_code_point(text).valid);
    EXPECT_EQ(first_code_point(text).bytes, 1U);
  }
}

TEST(SteersTerminal, ControlsAndDirections) {
  for (const std::uint32_t value : {0x00U, 0x0AU, 0x1BU, 0x7FU, 0x85U, 0x9BU, 0x9FU, 0x61CU, 0x200BU, 0x200FU, 0x2028U,
                                    0x202EU, 0x2066U, 0x2069U, 0xFEFFU, 0xFFF9U, 0xFFFFU})
    EXPECT_TRUE(steers_terminal(value)) << value;
  for (const std::uint32_t value : {0x20U, 0x7EU, 0xA0U, 0xE9U, 0x2013U, 0x20ACU, 0xFFFDU, 0x1F600U})
    EXPECT_FALSE(steers_terminal(value)) << value;
}

TEST(CodePoint, KnowsWhatShowsNothing) {
  for (const std::uint32_t one : {0x09U, 0x20U, 0x7FU, 0xA0U, 0xADU, 0x200BU, 0x202EU, 0x3000U, 0xFEFFU, 0xE0041U})
    EXPECT_TRUE(is_invisible(one)) << one;
  for (const std::uint32_t one : {0x21U, 0x41U, 0xE9U, 0x301U, 0x5D0U, 0x6A21U, 0x1F642U})
    EXPECT_FALSE(is_invisible(one)) << one;
}

TEST(Utf8, TakesEveryLength) {
  for (const char* text : {"", "plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_utf8(text)) << text;
  EXPECT_TRUE(is_utf8(std::string(1, '\0')));
}

TEST(Utf8, RefusesWhatUnicodeDoes) {
  for (const char* text : {"\x80", "\xC3", "\xE2\x82", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF0\x80\x80\xAF",
                           "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "a\xFF"})
    EXPECT_FALSE(is_utf8(text));
}

}  // namespace

}  // namespace mpsbench::base
