#include "output/console/status_line.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

class StatusLineTest : public testing::Test {
 protected:
  std::string written_;
  std::size_t width_ = 10;
  StatusLine line_{[this](const std::string& text) { written_ = text; }, [this] { return width_; }};
};

TEST_F(StatusLineTest, ReplacesWhatIsThere) {
  line_.show("compiling");
  EXPECT_EQ(written_, "\rcompiling");
  line_.show("done");
  EXPECT_EQ(written_, "\rdone     ") << "nothing of the longer line is left";
}

TEST_F(StatusLineTest, LeavesTheLastCellOfTheTerminalFree) {
  line_.show("0123456789");
  EXPECT_EQ(written_, "\r01234567…");
  width_ = 5;
  line_.show("abcdef");
  EXPECT_EQ(written_, "\rabc…");
  width_ = 0;
  line_.show("abc");
  EXPECT_EQ(written_, "\r");
}

TEST_F(StatusLineTest, IsRemovedOnce) {
  line_.clear();
  EXPECT_EQ(written_, "");
  line_.show("öl");
  line_.clear();
  EXPECT_EQ(written_, "\r  \r");
  written_.clear();
  line_.clear();
  EXPECT_EQ(written_, "");
}

}  // namespace
}  // namespace mpsbench::output
