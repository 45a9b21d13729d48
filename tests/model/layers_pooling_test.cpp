#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

using schema::Shape;
using tests::shape_after;

TEST(LayersPooling, ShapesOfTorch) {
  EXPECT_EQ(
      shape_after({3, 112, 112}, R"({"type": "max_pool2d", "kernel_size": 3, "stride": 2, "padding": 1})"),
      (Shape{2, 3, 56, 56}));
  EXPECT_EQ(shape_after({3, 7, 7}, R"({"type": "max_pool2d", "kernel_size": 2, "ceil_mode": true})"),
            (Shape{2, 3, 4, 4}));
  EXPECT_EQ(shape_after({3, 9, 9}, R"({"type": "max_pool2d", "kernel_size": 3, "stride": 1, "dilation": 3})"),
            (Shape{2, 3, 3, 3}));
  EXPECT_EQ(shape_after({3, 9, 8}, R"({"type": "avg_pool2d", "kernel_size": [3, 2]})"), (Shape{2, 3, 3, 4}));
  EXPECT_EQ(shape_after({3, 9, 8}, R"({"type": "adaptive_avg_pool2d", "output_size": [1, 4]})"),
            (Shape{2, 3, 1, 4}));
  EXPECT_EQ(shape_after({3, 2, 2}, R"({"type": "adaptive_avg_pool2d", "output_size": 7})"),
            (Shape{2, 3, 7, 7}));
}

}  // namespace
}  // namespace mpsbench
