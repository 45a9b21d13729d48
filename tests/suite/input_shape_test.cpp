#include "suite/option_values.hpp"

#include <gtest/gtest.h>

namespace mpsbench::suite {
namespace {

TEST(InputShape, GoesBothWays) {
  for (const char* good : {"3x224x224", "10", "128:30522", "1x1x1x1x1x1"}) {
    const std::optional<InputShape> shape = parse_input_shape(good);
    ASSERT_TRUE(shape) << good;
    EXPECT_EQ(to_string(*shape), good);
  }
  EXPECT_EQ(parse_input_shape("16x2:100"), (InputShape{{16, 2}, 100}));
}

TEST(InputShape, IsRefused) {
  for (const char* bad : {"", "x", "3x", "3xx4", "0", "3x-1", "4:", "4:0", "1x1x1x1x1x1x1", "3.5", "9999999999"})
    EXPECT_FALSE(parse_input_shape(bad)) << bad;
}

}  // namespace
}  // namespace mpsbench::suite
