#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::base {
namespace {

TEST(Utf8, TakesEveryLength) {
  for (const char* text : {"", "plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_utf8(text)) << text;
  EXPECT_TRUE(is_utf8(std::string(1, '\0')));
}

TEST(Utf8, RefusesWhatUnicodeDoes) {
  for (const char* text : {"\x80", "\xC3", "\xE2\x82", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                           "\xF0\x80\x80\xAF", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "a\xFF"})
    EXPECT_FALSE(is_utf8(text));
}

}  // namespace
}  // namespace mpsbench::base
