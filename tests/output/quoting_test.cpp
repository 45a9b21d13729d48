#include "output/text/quoting.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

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
  const nlohmann::ordered_json row{
      {"name", "a,b"}, {"count", 3}, {"ratio", nullptr}, {"change", -0.5}, {"best", true}};
  EXPECT_EQ(csv_of({row, row}),
            "name,count,ratio,change,best\r\n\"a,b\",3,,-0.5,true\r\n\"a,b\",3,,-0.5,true\r\n");
  EXPECT_EQ(csv_of({}), "");
}

TEST(MarkdownCell, IsTakenLiterally) {
  EXPECT_EQ(markdown_cell("a|*b*<i>\x1b"), "a\\|\\*b\\*\\<i\\>?");
}

TEST(XmlText, HoldsNoMarkupAndNoCharacterThatXmlForbids) {
  EXPECT_EQ(xml_text("<a b=\"c\">&]]>'"), "&lt;a b=&quot;c&quot;&gt;&amp;]]&gt;'");
  EXPECT_EQ(xml_text(std::string("a\0b\x1b\n\xff\uFFFE", 9)), "a?b????");
}

}  // namespace
}  // namespace mpsbench::output
