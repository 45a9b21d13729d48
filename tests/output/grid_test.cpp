#include "output/text/grid.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

const Grid kGrid{{"case", "time", "verdict"},
                 {false, true, false},
                 {{{"a|b", "10 µs", "slower"}, Paint::bad}, {{"longer", "–", ""}, Paint::none}}};

TEST(Grid, IsAligned) {
  EXPECT_EQ(aligned(kGrid, false),
            "case     time  verdict\n"
            "a|b     10 µs  slower\n"
            "longer      –\n");
}

TEST(Grid, PaintsTitlesAndLastCells) {
  EXPECT_EQ(aligned(kGrid, true),
            "\x1b[1mcase     time  verdict\x1b[0m\n"
            "a|b     10 µs  \x1b[31mslower\x1b[0m\n"
            "longer      –\n");
}

TEST(Grid, CannotBeSteered) {
  const Grid grid{{"case"}, {false}, {{{"a\x1b[2J\n"}, Paint::none}}};
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
