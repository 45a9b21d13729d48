#include "base/system_files.hpp"
#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::base {
namespace {

TEST(SystemFile, FirstLineEndsAtALineBreakOrANul) {
  const tests::RecordedTree tree;
  tree.add("a", "  one \ntwo\n");
  tree.add("b", std::string("Raspberry Pi 5\0more", 19));
  EXPECT_EQ(read_first_line(tree.root() / "a"), "one");
  EXPECT_EQ(read_first_line(tree.root() / "b"), "Raspberry Pi 5");
  EXPECT_EQ(read_first_line(tree.root() / "absent"), "");
  EXPECT_EQ(read_first_line(tree.root()), "");
}

TEST(SystemFile, WholeNumbers) {
  const tests::RecordedTree tree;
  tree.add("a", "1200\n");
  tree.add("b", "12 MHz\n");
  EXPECT_EQ(read_whole_number(tree.root() / "a"), 1200);
  EXPECT_FALSE(read_whole_number(tree.root() / "b"));
  EXPECT_FALSE(read_whole_number(tree.root() / "absent"));
}

}  // namespace
}  // namespace mpsbench::base
