#include "model/networks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench {

namespace {

using schema::Shape;
using tests::json;

model::Layer only_layer(const json& shape, const char* layer) {
  return tests::expand_layers(shape, json::array({json::parse(layer)})).layers.front();
}

TEST(LayersWeighted, ConvolutionShapesTensorsAndCost) {
  const model::Layer conv = only_layer({8, 9, 11}, R"({"type": "conv2d", "out_channels": 6, "kernel_size": [3, 2],
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

TEST(LayersWeighted, ConvolutionOfOneDimension) {
  const model::Layer conv = only_layer({8, 20}, R"({"type": "conv1d", "out_channels": 6, "kernel_size": 3, "stride": 2,
      "padding": 1, "groups": 2})");
  EXPECT_EQ(conv.node.shape, (Shape{2, 6, 10}));
  EXPECT_EQ(conv.node.tensors[0].shape, (Shape{6, 4, 3}));
  EXPECT_EQ(conv.node.forward_macs, 2 * 6 * 10 * 4 * 3);
  EXPECT_TRUE(tests::contains(tests::error_of([] {
                                (void)only_layer({8, 20},
                                                 R"({"type": "conv1d", "out_channels": 6, "kernel_size": [3, 3]})");
                              }),
                              "kernel_size: expected one whole number"));
}

TEST(LayersWeighted, TransposedConvolution) {
  const schema::NetworkNode node =
      tests::expand_layers({6, 5, 7}, json::parse(R"([{"type": "conv_transpose2d", "out_channels": 4,
                                                      "kernel_size": [2, 3], "stride": 2, "padding": [0, 1]}])"))
          .layers.front()
          .node;
  EXPECT_EQ(node.shape, (Shape{2, 4, 10, 13}));
  EXPECT_EQ(node.tensors[0].shape, (Shape{6, 4, 2, 3}));
  EXPECT_DOUBLE_EQ(node.tensors[0].scale, 1 / std::sqrt(24.0)) << "as torch.nn, of the second dimension";
  EXPECT_EQ(node.tensors[1].shape, (Shape{4}));
  EXPECT_EQ(node.forward_macs, 2 * 6 * 5 * 7 * 4 * 2 * 3);
  EXPECT_EQ(node.backward_macs, node.forward_macs) << "an input of the network has no gradient";
}

TEST(LayersWeighted, ParametersHaveTheNodesOwnName) {
  const model::Graph graph = tests::expand_layers({3, 4}, json::parse(R"([
      {"type": "parameter", "name": "first", "shape": [1, 1, 4], "expand": true},
      {"type": "cat", "name": "all", "inputs": ["first", "in"], "dim": 1},
      {"type": "parameter", "name": "fixed", "shape": [4, 4], "trainable": false, "init": {"constant": 2}},
      {"type": "add", "inputs": ["all", "fixed"]}])"));
  const schema::NetworkTensor& first = graph.layers[0].node.tensors.front();
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.shape, (Shape{1, 1, 4}));
  EXPECT_EQ(graph.layers[1].node.shape, (Shape{2, 4, 4}));
  const schema::NetworkTensor& fixed = graph.layers[2].node.tensors.front();
  EXPECT_FALSE(fixed.trainable);
  EXPECT_EQ(std::pair(fixed.init, fixed.scale), std::pair(std::string("constant"), 2.0));
  EXPECT_FALSE(graph.values[static_cast<std::size_t>(graph.layers[2].node.output)].requires_grad);
  EXPECT_TRUE(graph.values[static_cast<std::size_t>(graph.output)].requires_grad);
}

TEST(LayersWeighted, LinearMayTakeItsBiasFromAParameter) {
  const auto graph = [](const char* options) {
    return tests::expand_layers({3}, json::parse(std::string(R"([{"type": "parameter", "name": "bias", "shape": [5]},
        {"type": "linear", "name": "proj", "inputs": ["in", "bias"], "separator": "_", )") +
                                                 options + "}]"));
  };
  const model::Graph good = graph(R"("out_features": 5, "bias": false)");
  EXPECT_EQ(good.layers[1].node.tensors.size(), 1U);
  EXPECT_EQ(good.layers[1].node.tensors[0].name, "proj_weight");
  for (const char* wrong : {R"("out_features": 4, "bias": false)", R"("out_features": 5)"})
    EXPECT_NE(tests::error_of([&] { (void)graph(wrong); }), "") << wrong;
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

TEST(LayersWeighted, SizesMayBeProducts) {
  EXPECT_EQ(only_layer({3}, R"({"type": "linear", "out_features": [3, 4]})").node.shape, (Shape{2, 12}));
  EXPECT_TRUE(tests::contains(
      tests::error_of([] { (void)only_layer({3}, R"({"type": "linear", "out_features": [65536, 65536]})"); }),
      "the product of these sizes is above 2147483647"));
}

TEST(LayersWeighted, TransposedLinearHasTheWeightTheOtherWayRound) {
  const model::Layer linear = only_layer({3}, R"({"type": "linear", "out_features": 4, "transposed": true})");
  EXPECT_EQ(linear.node.tensors[0].shape, (Shape{3, 4}));
  EXPECT_EQ(linear.node.shape, (Shape{2, 4}));
  EXPECT_DOUBLE_EQ(linear.node.tensors[0].scale, 1 / std::sqrt(3.0)) << "by its inputs";
}

model::Graph tied(const char* last) {
  return tests::expand_layers({4}, json::parse(std::string(R"([
      {"name": "inner", "layers": [{"type": "linear", "name": "first", "out_features": 3}, {"type": "relu", "name": "off"}]},
      {"type": "linear", "name": "back", )") + last +
                                               "}]"));
}

TEST(LayersWeighted, AWeightMayBeAnEarlierLayers) {
  const model::Graph graph = tied(R"("out_features": 4, "transposed": true, "weight_from": "inner.first")");
  const std::vector<schema::NetworkTensor>& tensors = graph.layers.back().node.tensors;
  EXPECT_EQ(tensors[0].name, "inner.first.weight");
  EXPECT_TRUE(tensors[0].is_shared);
  EXPECT_EQ(tensors[1].name, "back.bias");
  EXPECT_FALSE(tensors[1].is_shared);
  const std::pair<const char*, const char*> wrong[] = {
      {R"("out_features": 4, "weight_from": "inner.first")",
       "'inner.first.weight' is [3, 4], but this layer needs [4, 3]"},
      {R"("out_features": 4, "weight_from": "inner.off")", "'inner.off' is no layer with a weight"},
      {R"("out_features": 4, "weight_from": "later")", "no layer or input named 'later'"}};
  for (const auto& [last, says] : wrong)
    EXPECT_TRUE(tests::contains(tests::error_of([&] { (void)tied(last); }), says)) << last;
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

using model::Storage;

TEST(LayersNormalisation, RmsNormHasAWeightAroundOneOrZero) {
  const auto norm = [](const char* options) {
    return only_layer({5, 8}, (std::string(R"({"type": "rms_norm")") + options + "}").c_str()).node;
  };
  EXPECT_EQ(norm("").shape, (Shape{2, 5, 8}));
  EXPECT_EQ(norm("").tensors.at(0).shape, Shape{8});
  EXPECT_EQ(norm("").tensors.at(0).init, "ones");
  EXPECT_EQ(norm(R"(, "offset": 1)").tensors.at(0).init, "zeros");
}

TEST(LayersNormalisation, BatchNormHasTheStateDictsBuffers) {
  const auto node = tests::expand_layers({3, 4, 4}, json::parse(R"([{"type": "batch_norm2d"}])")).layers[0].node;
  ASSERT_EQ(node.tensors.size(), 5U);
  EXPECT_EQ(node.tensors[2].name, "0.running_mean");
  EXPECT_EQ(node.tensors[3].init, "ones");
  EXPECT_FALSE(node.tensors[3].trainable);
  EXPECT_EQ(node.tensors[4].name, "0.num_batches_tracked");
  EXPECT_EQ(node.tensors[4].dtype, schema::DType::int64);
  EXPECT_EQ(node.tensors[4].shape, Shape{});
  EXPECT_EQ(node.shape, (Shape{2, 3, 4, 4}));
}

TEST(LayersNormalisation, LayerNormTakesTheLastDimensionByItself) {
  const auto node = tests::expand_layers({5, 6}, json::parse(R"([{"type": "layer_norm"}])")).layers[0].node;
  EXPECT_EQ(node.options.at("normalized_shape"), json::array({6}));
  EXPECT_EQ(node.tensors[0].shape, Shape{6});
  const auto two = tests::expand_layers({5, 6}, json::parse(R"([{"type": "layer_norm", "normalized_shape": [5, 6]}])"));
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

model::Graph expand(const char* layers) {
  const json document = {{"inputs", json::parse(R"([
      {"name": "ids", "dtype": "int64", "shape": [6], "fill": "integers", "high": 9},
      {"name": "present", "dtype": "int64", "shape": [6], "fill": "ones"}])")},
                         {"layers", json::parse(layers)}};
  return model::expand(base::Reader(document, "f"), model::Environment("the model"), 2, schema::Mode::train);
}

constexpr const char* kHeads = R"(
  {"type": "embedding", "num_embeddings": 9, "embedding_dim": 8}, {"type": "unflatten", "dim": 2, "sizes": [2, 4]},
  {"type": "transpose", "name": "q", "dim0": 1, "dim1": 2},)";

TEST(LayersAttention, CountsBothProductsAndTheirGradients) {
  const model::Graph graph =
      expand((std::string("[") + kHeads + R"({"type": "padding_mask", "name": "mask", "input": "present"},
       {"type": "scaled_dot_product_attention", "inputs": ["q", "q", "q", "mask"]}])")
                 .c_str());
  const schema::NetworkNode& attention = graph.layers.back().node;
  EXPECT_EQ(graph.layers[3].node.shape, (Shape{2, 1, 1, 6}));
  EXPECT_EQ(attention.shape, (Shape{2, 2, 6, 4}));
  EXPECT_EQ(attention.forward_macs, 2 * (2 * 2 * 6 * 6 * 4));
  EXPECT_EQ(attention.backward_macs, 2 * attention.forward_macs);
}

TEST(LayersAttention, RefusesAValueOfOtherHeadsOrAnotherLength) {
  for (const char* dims : {R"("dim0": 1, "dim1": 3)", R"("dim0": 2, "dim1": 3)"}) {
    const std::string layers = std::string("[") + kHeads + R"({"type": "transpose", "name": "v", "input": "q", )" +
                               dims + R"(}, {"type": "scaled_dot_product_attention", "inputs": ["q", "q", "v"]}])";
    EXPECT_TRUE(tests::contains(tests::error_of([&] { (void)expand(layers.c_str()); }), "must have matching shapes"));
  }
}

model::Layer attention_with(const std::string& options, int kv_heads = 2) {
  const std::string layers = std::string("[") + kHeads + R"({"type": "split", "name": "kv", "input": "q", "dim": 1, )" +
                             "\"part\": 0, \"sizes\": [" + std::to_string(kv_heads) + (kv_heads == 2 ? "" : ", -1") +
                             R"(]}, {"type": "scaled_dot_product_attention", "inputs": ["q", "kv", "kv"])" + options +
                             "}]";
  return expand(layers.c_str()).layers.back();
}

// Two rows, two heads, six tokens, size 4 of keys and of values.
TEST(LayersAttention, CountsTheWorkThatIsDone) {
  const auto pairs = [](const std::string& options) {
    return attention_with(options).node.forward_macs / (2 * 2 * (4 + 4));
  };
  EXPECT_EQ(pairs(""), 6 * 6);
  EXPECT_EQ(pairs(R"(, "is_causal": true)"), 1 + 2 + 3 + 4 + 5 + 6);
  EXPECT_EQ(pairs(R"(, "is_causal": true, "window": 3)"), 1 + 2 + 3 + 3 + 3 + 3);
  EXPECT_EQ(pairs(R"(, "window": 2)"), 2 + 3 + 3 + 3 + 3 + 2);
  EXPECT_EQ(pairs(R"(, "window": 1)"), 6);
  const model::Layer wide = attention_with(R"(, "window": 6)");
  EXPECT_EQ(wide.node.options.at("window"), 0) << "it leaves nothing out";
}

TEST(LayersAttention, QueriesMayShareKeysAndValues) {
  const model::Layer shared = attention_with("", 1);
  EXPECT_EQ(shared.node.shape, (Shape{2, 2, 6, 4}));
  EXPECT_EQ(shared.node.forward_macs, attention_with("").node.forward_macs);
  const char* three = R"([{"type": "embedding", "num_embeddings": 30, "embedding_dim": 12, "input": "ids"},
      {"type": "unflatten", "dim": 2, "sizes": [3, 4]}, {"type": "transpose", "name": "q", "dim0": 1, "dim1": 2},
      {"type": "split", "name": "kv", "dim": 1, "sizes": [2, 1], "part": 0},
      {"type": "scaled_dot_product_attention", "inputs": ["q", "kv", "kv"]}])";
  EXPECT_TRUE(tests::contains(tests::error_of([&] { (void)expand(three); }), "cannot share the 2"));
}

TEST(LayersAttention, RopeKeepsTheShapeAndChecksItsOptions) {
  const auto rope = [](const char* options) {
    return only_layer({2, 6, 8}, (std::string(R"({"type": "rope")") + options + "}").c_str()).node;
  };
  EXPECT_EQ(rope("").shape, (Shape{2, 2, 6, 8}));
  EXPECT_EQ(rope("").options.at("size"), 8);
  EXPECT_EQ(rope(R"(, "size": 4, "llama3": [8, 1, 4, 8192])").options.at("llama3").size(), 4U);
  for (const char* options : {R"(, "size": 3)", R"(, "size": 10)", R"(, "llama3": [8, 1, 4])", R"(, "theta": 0)"})
    EXPECT_NE(tests::error_of([&] { (void)rope(options); }), "") << options;
}

TEST(LayersAttention, PositionsAreOneRow) {
  EXPECT_EQ(expand(R"([{"type": "position_ids"}])").layers[0].node.shape, (Shape{1, 6}));
  EXPECT_EQ(expand(R"([{"type": "position_ids"}, {"type": "embedding", "num_embeddings": 6, "embedding_dim": 3}])")
                .layers[1]
                .node.shape,
            (Shape{1, 6, 3}));
  EXPECT_TRUE(tests::contains(
      tests::error_of([] {
        (void)expand(R"([{"type": "position_ids"}, {"type": "embedding", "num_embeddings": 5, "embedding_dim": 3}])");
      }),
      "so this must be at least 6"));
}

TEST(LayersAttention, RefusesWhatIsNoMask) {
  for (const char* rest : {R"({"type": "scaled_dot_product_attention", "inputs": ["q", "q", "q", "ids"]}])",
                           R"({"type": "padding_mask", "input": "ids"}])",
                           R"({"type": "padding_mask", "name": "m", "input": "present"},
                              {"type": "scaled_dot_product_attention", "inputs": ["q", "q", "q", "m"], "is_causal": true}])"}) {
    EXPECT_NE(tests::error_of([&] { (void)expand((std::string("[") + kHeads + rest).c_str()); }), "") << rest;
  }
}

TEST(LayersTransformer, ExpertsCountTheirChosenRows) {
  const auto experts = [](const char* top_k) {
    return tests::expand_layers({7, 8}, json::parse(std::string(R"([{"type": "linear", "name": "gate",
        "out_features": 6, "bias": false}, {"type": "moe", "inputs": ["in", "gate"], "intermediate": 16, "top_k": )") +
                                                    top_k + "}]"));
  };
  const schema::NetworkNode moe = experts("2").layers[1].node;
  EXPECT_EQ(moe.tensors[0].shape, (Shape{6, 32, 8}));
  EXPECT_EQ(moe.tensors[1].shape, (Shape{6, 8, 16}));
  EXPECT_EQ(moe.shape, (Shape{2, 7, 8}));
  EXPECT_EQ(moe.forward_macs, 2 * 7 * 2 * 3 * 16 * 8);
  EXPECT_TRUE(
      tests::contains(tests::error_of([&] { (void)experts("7"); }), "top_k: must be at most the number of experts, 6"));
}

TEST(LayersWeighted, KaimingScales) {
  const auto scale = [](const char* init) {
    const schema::NetworkTensor weight =
        only_layer(
            {8, 9, 9},
            (std::string(R"({"type": "conv2d", "out_channels": 6, "kernel_size": 3, "weight_init": ")") + init + "\"}")
                .c_str())
            .node.tensors.front();
    return std::pair(weight.init, weight.scale);
  };
  EXPECT_EQ(scale("kaiming_normal_fan_out"), std::pair(std::string("normal"), std::sqrt(2.0 / (6 * 9))));
  EXPECT_DOUBLE_EQ(scale("kaiming_normal_fan_in").second, std::sqrt(2.0 / (8 * 9)));
  EXPECT_EQ(scale("kaiming_uniform_fan_in").first, "uniform");
  EXPECT_DOUBLE_EQ(scale("kaiming_uniform_fan_in").second, std::sqrt(6.0 / (8 * 9)));
}

}  // namespace

}  // namespace mpsbench
