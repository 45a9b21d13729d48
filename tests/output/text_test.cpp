#include "output/text/text.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

TEST(Text, WidthCountsCodePoints) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("141 ms ±0.6 %"), 13U);
  EXPECT_EQ(display_width("–"), 1U);
  EXPECT_EQ(display_width("µ·…"), 3U);
}

TEST(Text, PrintableLetsNothingSteerTheTerminal) {
  EXPECT_EQ(printable("resnet50 ±1 %"), "resnet50 ±1 %");
  EXPECT_EQ(printable("a\x1b[31mred\x1b[0m"), "a?[31mred?[0m");
  EXPECT_EQ(printable("a\r\nb\tc\x7f"), "a??b?c?");
  EXPECT_EQ(printable("\xc2\x9b"), "?");          // C1's escape, a single character
  EXPECT_EQ(printable("a\xe2\x80\xaey"), "a?y");  // right-to-left override
  EXPECT_EQ(printable("\xe2\x80\xa8"), "?");      // line separator
  EXPECT_EQ(printable("\xff\xc3"), "??");
  EXPECT_EQ(printable("\xc0\x9b"), "??");            // overlong form of an escape
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");       // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????");  // above the last code point
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
}

TEST(Text, TruncateCountsCells) {
  EXPECT_EQ(truncate("±±±±", 4), "±±±±");
  EXPECT_EQ(truncate("±±±±±", 4), "±±±…");
  EXPECT_EQ(truncate("abc", 1), "…");
  EXPECT_EQ(truncate("abc", 0), "");
  EXPECT_EQ(truncate("a\x1b", 9), "a?");
}

TEST(Text, Padding) {
  EXPECT_EQ(pad_left("±1", 4), "  ±1");
  EXPECT_EQ(pad_right("±1", 4), "±1  ");
  EXPECT_EQ(pad_right("long", 2), "long");
}

TEST(QuotedForShell, LeavesPlainWordsAndQuotesTheRest) {
  EXPECT_EQ(quoted_for_shell("results/m1-2026.json"), "results/m1-2026.json");
  EXPECT_EQ(quoted_for_shell("my rig's.json"), "'my rig'\\''s.json'");
  EXPECT_EQ(quoted_for_shell(""), "''");
}

}  // namespace
}  // namespace mpsbench::output
