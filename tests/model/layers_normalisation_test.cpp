#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

using model::Storage;
using schema::Shape;
using tests::json;

TEST(LayersNormalisation, BatchNormHasTheStateDictsBuffers) {
  const auto node =
      tests::expand_layers({3, 4, 4}, json::parse(R"([{"type": "batch_norm2d"}])")).layers[0].node;
  ASSERT_EQ(node.tensors.size(), 5U);
  EXPECT_EQ(node.tensors[2].name, "0.running_mean");
  EXPECT_EQ(node.tensors[3].init, "ones");
  EXPECT_FALSE(node.tensors[3].trainable);
  EXPECT_EQ(node.tensors[4].name, "0.num_batches_tracked");
  EXPECT_EQ(node.tensors[4].dtype, "int64");
  EXPECT_EQ(node.tensors[4].shape, Shape{});
  EXPECT_EQ(node.shape, (Shape{2, 3, 4, 4}));
}

TEST(LayersNormalisation, LayerNormTakesTheLastDimensionByItself) {
  const auto node = tests::expand_layers({5, 6}, json::parse(R"([{"type": "layer_norm"}])")).layers[0].node;
  EXPECT_EQ(node.options.at("normalized_shape"), json::array({6}));
  EXPECT_EQ(node.tensors[0].shape, Shape{6});
  const auto two =
      tests::expand_layers({5, 6}, json::parse(R"([{"type": "layer_norm", "normalized_shape": [5, 6]}])"));
  EXPECT_EQ(two.layers[0].node.tensors[1].shape, (Shape{5, 6}));
}

TEST(LayersNormalisation, DropoutHandsItsInputOnWhenItDoesNothing) {
  const auto storage = [](const char* layer, schema::Mode mode) {
    return tests::expand_layers({4}, json::array({json::parse(layer)}), mode).layers[0].storage;
  };
  EXPECT_EQ(storage(R"({"type": "dropout"})", schema::Mode::train), Storage::own);
  EXPECT_EQ(storage(R"({"type": "dropout"})", schema::Mode::infer), Storage::view);
  EXPECT_EQ(storage(R"({"type": "dropout", "p": 0})", schema::Mode::train), Storage::view);
  EXPECT_EQ(storage(R"({"type": "dropout", "inplace": true})", schema::Mode::train), Storage::in_place);
}

}  // namespace
}  // namespace mpsbench
