#include "output/quoting.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

TEST(CsvTextCell, QuotesAndDisarms) {
  EXPECT_EQ(csv_text_cell("plain"), "plain");
  EXPECT_EQ(csv_text_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
  EXPECT_EQ(csv_text_cell(" =cmd()"), "' =cmd()");
  EXPECT_EQ(csv_text_cell("a\nb"), "a?b");
}

TEST(CsvOf, HasHeadingsAndEmptyCellsForNull) {
  const nlohmann::ordered_json row{{"name", "a,b"}, {"count", 3}, {"ratio", nullptr}, {"best", true}};
  EXPECT_EQ(csv_of({row, row}), "name,count,ratio,best\r\n\"a,b\",3,,true\r\n\"a,b\",3,,true\r\n");
  EXPECT_EQ(csv_of({}), "");
}

TEST(MarkdownCell, IsTakenLiterally) {
  EXPECT_EQ(markdown_cell("a|*b*<i>\x1b"), "a\\|\\*b\\*\\<i\\>?");
}

}  // namespace
}  // namespace mpsbench::output
