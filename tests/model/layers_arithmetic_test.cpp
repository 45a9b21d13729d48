#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

using schema::Shape;
using tests::json;

model::Graph expand(const json& shape, const char* layers) {
  return tests::expand_layers(shape, json::parse(layers));
}

TEST(LayersArithmetic, MatmulBroadcastsAndCountsBothGradients) {
  const model::Graph graph = expand({6, 4}, R"([{"type": "linear", "name": "a", "out_features": 5},
      {"type": "transpose", "name": "t", "dim0": 1, "dim1": 2}, {"type": "matmul", "inputs": ["a", "t"]},
      {"type": "matmul", "inputs": ["2", "x"]}])");
  EXPECT_EQ(graph.layers[2].node.shape, (Shape{2, 6, 6}));
  EXPECT_EQ(graph.layers[2].node.forward_macs, 2 * 6 * 6 * 5);
  EXPECT_EQ(graph.layers[2].node.backward_macs, 2 * graph.layers[2].node.forward_macs);
  EXPECT_EQ(graph.layers[3].node.backward_macs, graph.layers[3].node.forward_macs) << "x needs no gradient";
}

TEST(LayersArithmetic, ScaleFollowsTheWidth) {
  const auto factor = [](const char* options) {
    const std::string layer = std::string(R"([{"type": "scale")") + options + "}]";
    return tests::expand_layers({3, 16}, tests::json::parse(layer)).layers[0].node.options.at("factor").get<double>();
  };
  EXPECT_DOUBLE_EQ(factor(R"(, "factor": 12)"), 12);
  EXPECT_DOUBLE_EQ(factor(R"(, "factor": 2, "power": 0.5)"), 8);
}

TEST(LayersArithmetic, CatAddsUpOneDimension) {
  const model::Graph graph =
      expand({3, 4}, R"([{"type": "relu", "name": "a"}, {"type": "cat", "inputs": ["a", "x", "a"]},
                                                {"type": "cat", "inputs": ["a", "x"], "dim": -1}])");
  EXPECT_EQ(graph.layers[1].node.shape, (Shape{2, 9, 4}));
  EXPECT_EQ(graph.layers[2].node.shape, (Shape{2, 3, 8}));
}

TEST(LayersArithmetic, MeanDropsOrKeepsDimensions) {
  EXPECT_EQ(tests::shape_after({3, 4, 5}, R"({"type": "mean", "dims": [2, 3]})"), (Shape{2, 3}));
  EXPECT_EQ(tests::shape_after({3, 4, 5}, R"({"type": "mean", "dims": -1, "keepdim": true})"), (Shape{2, 3, 4, 1}));
  EXPECT_NE(tests::error_of([] { (void)tests::shape_after({3}, R"({"type": "mean", "dims": [1, -1]})"); }), "");
}

TEST(LayersArithmetic, AddInPlaceNeedsTheShapeOfTheSum) {
  const char* layers = R"([{"type": "mean", "name": "m", "dims": 2, "keepdim": true},
                           {"type": "add", "inputs": ["m", "x"], "inplace": true}])";
  EXPECT_TRUE(
      tests::contains(tests::error_of([&] { (void)expand({3, 4}, layers); }), "$.layers[1].inplace: the first"));
}

}  // namespace
}  // namespace mpsbench
