#include "base/random_hex.hpp"

#include <gtest/gtest.h>

namespace mpsbench::base {
namespace {

TEST(RandomHex, HasItsLengthAndIsNeverTheSame) {
  EXPECT_EQ(random_hex(0), "");
  const std::string text = random_hex(12);
  EXPECT_EQ(text.size(), 12U);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos) << text;
  EXPECT_NE(text, random_hex(12));
}

}  // namespace
}  // namespace mpsbench::base
