#include "output/text/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST(Listed, JoinsAndCounts) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(listed({"a", "b", "c"}, {", or "}), "a, b, or c");
  EXPECT_EQ(listed({"a", "b", "c", "d"}, {"; ", "; "}, 2), "a; b and 2 more");
}

TEST(QuotedForShell, LeavesPlainWordsAndQuotesTheRest) {
  EXPECT_EQ(quoted_for_shell("results/m1-2026.json"), "results/m1-2026.json");
  EXPECT_EQ(quoted_for_shell("my rig's.json"), "'my rig'\\''s.json'");
  EXPECT_EQ(quoted_for_shell(""), "''");
}

TEST(CsvTextCell, QuotesAndDisarms) {
  EXPECT_EQ(csv_text_cell("plain"), "plain");
  EXPECT_EQ(csv_text_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
  EXPECT_EQ(csv_text_cell(" =cmd()"), "' =cmd()");
  EXPECT_EQ(csv_text_cell("a\nb"), "a?b");
  EXPECT_EQ(csv_text_cell("a;=1"), "\"a;=1\"");
  for (const char* sign : {"=", "+", "-", "@", "＝", "＋", "－", "＠"})
    EXPECT_EQ(csv_text_cell(std::string(sign) + "1"), "'" + std::string(sign) + "1");
  EXPECT_EQ(csv_text_cell("\t=1"), "?=1");
  EXPECT_EQ(csv_text_cell("\r=1"), "?=1");
}

TEST(CsvOf, HasHeadingsAndEmptyCellsForNull) {
  const nlohmann::ordered_json row{{"name", "a,b"}, {"count", 3}, {"ratio", nullptr}, {"change", -0.5}, {"best", true}};
  EXPECT_EQ(csv_of({row, row}), "name,count,ratio,change,best\r\n\"a,b\",3,,-0.5,true\r\n\"a,b\",3,,-0.5,true\r\n");
  EXPECT_EQ(csv_of({}), "");
}

TEST(MarkdownCell, IsTakenLiterally) {
  EXPECT_EQ(markdown_cell("a|*b*<i>\x1b"), "a\\|\\*b\\*\\<i\\>?");
}

TEST(XmlText, HoldsNoMarkupAndNoCharacterThatXmlForbids) {
  EXPECT_EQ(xml_text("<a b=\"c\">&]]>'"), "&lt;a b=&quot;c&quot;&gt;&amp;]]&gt;'");
  EXPECT_EQ(xml_text(std::string("a\0b\x1b\n\xff\uFFFE", 9)), "a?b????");
}

const Grid kGrid{{"case", "time", "verdict"},
                 {false, true, false},
                 {{{"a|b", "10 µs", "slower"}, Paint::bad}, {{"longer", "–", ""}, Paint::none}}};

TEST(Grid, IsAlignedAndPainted) {
  EXPECT_EQ(aligned(kGrid, false),
            "case     time  verdict\n"
            "a|b     10 µs  slower\n"
            "longer      –\n");
  EXPECT_EQ(aligned(kGrid, true),
            "\x1b[1mcase     time  verdict\x1b[0m\n"
            "a|b     10 µs  \x1b[31mslower\x1b[0m\n"
            "longer      –\n");
}

TEST(Grid, CannotBeSteered) {
  const Grid grid{{"case"}, {false}, {{{"a\x1b[2J\n"}}}};
  EXPECT_EQ(aligned(grid, false), "case\na?[2J?\n");
}

TEST(Grid, IsAMarkdownTable) {
  EXPECT_EQ(markdown(kGrid),
            "| case | time | verdict |\n"
            "| --- | ---: | --- |\n"
            "| a\\|b | 10 µs | slower |\n"
            "| longer | – |  |\n");
}

}  // namespace

}  // namespace mpsbench::output
