#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

using schema::Shape;
using tests::json;

model::Layer only_layer(const json& shape, const char* layer) {
  return tests::expand_layers(shape, json::array({json::parse(layer)})).layers.front();
}

TEST(LayersWeighted, ConvolutionShapesTensorsAndCost) {
  const model::Layer conv =
      only_layer({8, 9, 11}, R"({"type": "conv2d", "out_channels": 6, "kernel_size": [3, 2],
      "stride": [2, 1], "padding": [1, 0], "dilation": [1, 2], "groups": 2})");
  EXPECT_EQ(conv.node.shape, (Shape{2, 6, 5, 9}));
  ASSERT_EQ(conv.node.tensors.size(), 2U);
  EXPECT_EQ(conv.node.tensors[0].name, "0.weight");
  EXPECT_EQ(conv.node.tensors[0].shape, (Shape{6, 4, 3, 2}));
  EXPECT_EQ(conv.node.tensors[1].role, "bias");
  EXPECT_EQ(conv.node.tensors[1].shape, Shape{6});
  EXPECT_EQ(conv.node.forward_macs, 2 * 6 * 5 * 9 * 4 * 3 * 2);
  EXPECT_EQ(conv.node.backward_macs, conv.node.forward_macs) << "the model's input needs no gradient";
}

TEST(LayersWeighted, LaterLayersPassAGradientOn) {
  const model::Graph graph = tests::expand_layers(
      {16}, json::parse(R"([{"type": "linear", "out_features": 8}, {"type": "linear", "out_features": 4}])"));
  EXPECT_EQ(graph.layers[1].node.forward_macs, 2 * 8 * 4);
  EXPECT_EQ(graph.layers[1].node.backward_macs, 2 * 2 * 8 * 4);
}

TEST(LayersWeighted, LinearWorksOnTheLastDimension) {
  const model::Layer linear = only_layer({5, 3}, R"({"type": "linear", "out_features": 4, "bias": false})");
  EXPECT_EQ(linear.node.shape, (Shape{2, 5, 4}));
  EXPECT_EQ(linear.node.tensors.size(), 1U);
  EXPECT_EQ(linear.node.forward_macs, 2 * 5 * 3 * 4);
}

TEST(LayersWeighted, Embedding) {
  const json document = json::parse(R"({
    "inputs": [{"name": "ids", "dtype": "int64", "shape": [7], "fill": "integers", "high": 30}],
    "layers": [{"type": "embedding", "num_embeddings": 30, "embedding_dim": 4, "padding_idx": 2}]})");
  const model::Graph graph =
      model::expand(base::Reader(document, "f"), model::Environment("the model"), 3, schema::Mode::train);
  const schema::NetworkNode& node = graph.layers[0].node;
  EXPECT_EQ(node.shape, (Shape{3, 7, 4}));
  EXPECT_EQ(node.tensors[0].shape, (Shape{30, 4}));
  EXPECT_EQ(node.tensors[0].init, "normal");
  EXPECT_EQ(node.tensors[0].scale, 1);
  EXPECT_EQ(node.tensors[0].zero_row, 2);
  EXPECT_EQ(node.forward_macs, 0);
}

}  // namespace
}  // namespace mpsbench
