#include "model/sizes.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mpsbench {
namespace {

using model::SlidingWindow;
using schema::Shape;

TEST(Sizes, ProductsAndSumsStopAtTheLimit) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(model::product(6, 7), 42);
  EXPECT_EQ(model::product(0, kLargest), 0);
  EXPECT_EQ(model::product(kLargest, kLargest), std::nullopt);
  EXPECT_EQ(model::product(2, 5, 10), 10);
  EXPECT_EQ(model::product(3, 4, 11), std::nullopt);
  EXPECT_EQ(model::sum(4, 6, 10), 10);
  EXPECT_EQ(model::sum(kLargest, kLargest), std::nullopt);
  EXPECT_EQ(model::sum(5, 6, 10), std::nullopt);
}

TEST(Sizes, Elements) {
  EXPECT_EQ(model::elements({}), 1);
  EXPECT_EQ(model::elements({2, 3, 4}), 24);
  EXPECT_EQ(model::elements({1 << 20, 1 << 20}), model::kMaxElements);
  EXPECT_EQ(model::elements({1 << 20, (1 << 20) + 1}), std::nullopt);
}

TEST(Sizes, BroadcastsAsPyTorch) {
  EXPECT_EQ(model::broadcast({4, 1, 3}, {5, 1}), (Shape{4, 5, 3}));
  EXPECT_EQ(model::broadcast({}, {2, 3}), (Shape{2, 3}));
  EXPECT_EQ(model::broadcast({2, 3}, {2, 4}), std::nullopt);
}

// Computed with torch.nn.functional.max_pool2d.
TEST(Sizes, WindowsAsPyTorch) {
  EXPECT_EQ(model::window_output(8, {3, 2, 1, 1, false}), 4);
  EXPECT_EQ(model::window_output(8, {3, 2, 1, 1, true}), 5);
  EXPECT_EQ(model::window_output(7, {2, 2, 0, 1, false}), 3);
  EXPECT_EQ(model::window_output(7, {2, 2, 0, 1, true}), 4);
  EXPECT_EQ(model::window_output(5, {2, 3, 1, 1, true}), 2);
  EXPECT_EQ(model::window_output(6, {2, 3, 1, 1, true}), 3);
  EXPECT_EQ(model::window_output(9, {3, 1, 0, 3, false}), 3);
  EXPECT_EQ(model::window_output(4, {1, 3, 0, 1, true}), 2);
  EXPECT_EQ(model::window_output(224, {7, 2, 3}), 112);
  EXPECT_LT(model::window_output(4, {5, 1, 0}), 1);
  constexpr std::int64_t kHuge = (std::int64_t{1} << 31) - 1;
  EXPECT_LT(model::window_output(kHuge, {kHuge, 1, 0, kHuge}), 1);
}

}  // namespace
}  // namespace mpsbench
