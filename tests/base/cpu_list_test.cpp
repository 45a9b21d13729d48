#include "base/system_files.hpp"

#include <gtest/gtest.h>

namespace mpsbench::base {
namespace {

TEST(CpuList, HasNumbersAndRanges) {
  EXPECT_EQ(parse_cpu_list("0-2,8"), (std::vector<int>{0, 1, 2, 8}));
  EXPECT_EQ(parse_cpu_list("5"), std::vector<int>{5});
  EXPECT_EQ(parse_cpu_list("3,1-2,2,1"), (std::vector<int>{1, 2, 3}));
}

TEST(CpuList, IsNothingElse) {
  for (const char* text : {"", ",", "1,", "x", "x-3", "1-", "-1", "3-1", "1.5", " 1", "0-99999999999", "65536"})
    EXPECT_EQ(parse_cpu_list(text), std::nullopt) << text;
}

TEST(CpuList, HasAnEnd) {
  EXPECT_TRUE(parse_cpu_list("0-65535"));
  EXPECT_FALSE(parse_cpu_list("0-65535,0-65535"));
}

TEST(CpuList, IsWrittenShort) {
  EXPECT_EQ(format_cpu_list({}), "");
  EXPECT_EQ(format_cpu_list({7}), "7");
  EXPECT_EQ(format_cpu_list({0, 1}), "0-1");
  EXPECT_EQ(format_cpu_list({0, 1, 2, 5, 8, 9}), "0-2,5,8-9");
}

}  // namespace
}  // namespace mpsbench::base
