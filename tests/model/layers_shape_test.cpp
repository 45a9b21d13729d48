#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {

namespace {

using schema::Shape;
using tests::json;
using tests::shape_after;

TEST(LayersShape, ViewsHaveTheShapesOfTorch) {
  EXPECT_EQ(shape_after({3, 4, 5}, R"({"type": "flatten"})"), (Shape{2, 60}));
  EXPECT_EQ(shape_after({3, 4, 5}, R"({"type": "flatten", "start_dim": 2})"), (Shape{2, 3, 20}));
  EXPECT_EQ(shape_after({3, 4, 5}, R"({"type": "flatten", "start_dim": 1, "end_dim": -2})"), (Shape{2, 12, 5}));
  EXPECT_EQ(shape_after({12, 5}, R"({"type": "unflatten", "dim": 1, "sizes": [3, -1]})"), (Shape{2, 3, 4, 5}));
  EXPECT_EQ(shape_after({12, 6}, R"({"type": "unflatten", "dim": -1, "sizes": [2, 3]})"), (Shape{2, 12, 2, 3}));
  EXPECT_EQ(shape_after({3, 4, 5}, R"({"type": "transpose", "dim0": 1, "dim1": -1})"), (Shape{2, 5, 4, 3}));
  EXPECT_EQ(shape_after({3, 4, 5}, R"({"type": "permute", "dims": [0, 3, 1, 2]})"), (Shape{2, 5, 3, 4}));
  EXPECT_EQ(shape_after({3, 4, 5}, R"({"type": "select", "dim": 2, "index": -4})"), (Shape{2, 3, 5}));
  EXPECT_EQ(shape_after({9, 5}, R"({"type": "split", "dim": 1, "sizes": [4, -1, 2], "part": 1})"), (Shape{2, 3, 5}));
}

TEST(LayersShape, SplitKnowsWhereItsPartBegins) {
  const auto split = [](const char* rest) {
    const std::string layer = std::string(R"([{"type": "split", "dim": 1, )") + rest + "}]";
    return tests::expand_layers({9}, json::parse(layer)).layers.front();
  };
  const model::Layer last = split(R"("sizes": [4, -1, 2], "part": 2)");
  EXPECT_EQ(last.node.options.at("start"), 7);
  EXPECT_EQ(last.node.options.at("length"), 2);
  EXPECT_EQ(last.storage, model::Storage::rearranged);
  for (const char* wrong : {R"("sizes": [4, 4], "part": 0)", R"("sizes": [4, 5], "part": 2)",
                            R"("sizes": [9, -1], "part": 0)", R"("sizes": [-1, -1], "part": 0)"})
    EXPECT_NE(tests::error_of([&] { (void)split(wrong); }), "") << wrong;
}

TEST(LayersShape, RollByNothingHandsItsInputOn) {
  const auto roll = [](const char* rest) {
    const std::string layer = std::string(R"([{"type": "roll", )") + rest + "}]";
    return tests::expand_layers({4, 6}, json::parse(layer)).layers.front();
  };
  EXPECT_EQ(roll(R"("shifts": [3, -1], "dims": [1, 2])").node.shape, (Shape{2, 4, 6}));
  EXPECT_EQ(roll(R"("shifts": [3, 0], "dims": [1, 2])").storage, model::Storage::own);
  EXPECT_EQ(roll(R"("shifts": 0, "dims": -1)").storage, model::Storage::view);
  for (const char* wrong : {R"("shifts": [1, 2], "dims": 1)", R"("shifts": 1, "dims": 0)", R"("shifts": 1, "dims": 3)"})
    EXPECT_NE(tests::error_of([&] { (void)roll(wrong); }), "") << wrong;
}

TEST(LayersShape, PlanHoldsResolvedSizes) {
  const auto graph = tests::expand_layers({12}, json::parse(R"([{"type": "unflatten", "dim": 1, "sizes": [3, -1]}])"));
  EXPECT_EQ(graph.layers[0].storage, model::Storage::view);
}

TEST(LayersPooling, ShapesOfTorch) {
  EXPECT_EQ(shape_after({3, 112, 112}, R"({"type": "max_pool2d", "kernel_size": 3, "stride": 2, "padding": 1})"),
            (Shape{2, 3, 56, 56}));
  EXPECT_EQ(shape_after({3, 7, 7}, R"({"type": "max_pool2d", "kernel_size": 2, "ceil_mode": true})"),
            (Shape{2, 3, 4, 4}));
  EXPECT_EQ(shape_after({3, 9, 9}, R"({"type": "max_pool2d", "kernel_size": 3, "stride": 1, "dilation": 3})"),
            (Shape{2, 3, 3, 3}));
  EXPECT_EQ(shape_after({3, 9, 8}, R"({"type": "avg_pool2d", "kernel_size": [3, 2]})"), (Shape{2, 3, 3, 4}));
  EXPECT_EQ(shape_after({3, 9, 8}, R"({"type": "adaptive_avg_pool2d", "output_size": [1, 4]})"), (Shape{2, 3, 1, 4}));
  EXPECT_EQ(shape_after({3, 2, 2}, R"({"type": "adaptive_avg_pool2d", "output_size": 7})"), (Shape{2, 3, 7, 7}));
}

}  // namespace

}  // namespace mpsbench
