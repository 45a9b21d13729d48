#include "output/page/page_table.hpp"

#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;

TEST(HtmlOf, HasHeadsForRowsAndColumnsAndCanBeScrolledByKeys) {
  const std::string text =
      html_of({"<Caption>", {"case", "<time>"}, {false, true}, {{"<a href=\"#a0\">x</a>", "1 ms"}}});
  EXPECT_TRUE(contains(text, "tabindex=\"0\" role=\"region\" aria-label=\"&lt;Caption&gt;\"")) << text;
  EXPECT_TRUE(contains(text, "<caption>&lt;Caption&gt;</caption>")) << text;
  EXPECT_TRUE(contains(text, "<th scope=\"col\">case</th><th scope=\"col\" class=\"r\">&lt;time&gt;</th>"));
  EXPECT_TRUE(contains(text, "<th scope=\"row\"><a href=\"#a0\">x</a></th><td class=\"r\">1 ms</td>"))
      << text;
}

TEST(PageTable, EscapesAGridAndPaintsItsLastCells) {
  const Grid grid{{"case", "verdict"}, {false, false}, {{{"a/<b>", "<slower>"}, Paint::bad}}};
  const PageTable table = page_table("x", grid);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][0], "a/<wbr>&lt;b&gt;");
  EXPECT_EQ(table.rows[0][1], "<span class=\"bad\">&lt;slower&gt;</span>");
}

TEST(Breakable, BreaksBetweenParts) {
  EXPECT_EQ(breakable("mlp/b4+seed=1&"), "mlp/<wbr>b4<wbr>+seed=1&amp;");
}

TEST(ListOf, EscapesLines) {
  EXPECT_EQ(list_of({}), "");
  EXPECT_EQ(list_of({"<a>"}), "<ul><li>&lt;a&gt;</li>\n</ul>\n");
}

}  // namespace
}  // namespace mpsbench::output
