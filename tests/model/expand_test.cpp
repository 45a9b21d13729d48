#include "model/expander.hpp"
#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {
namespace {

using tests::json;
using Strings = std::vector<std::string>;

const json kRelu = {{"type", "relu"}};

std::vector<int> inputs_of(const model::Graph& graph, std::size_t layer) {
  return graph.layers[layer].node.inputs;
}

TEST(Expand, UnnamedEntriesAreNumberedAsInSequential) {
  const json layers = json::parse(R"([
    {"name": "features", "layers": [
      {"type": "relu"}, {"block": "pair"}, {"type": "relu", "name": "last"}, {"type": "relu"}]},
    {"type": "relu"}])");
  const json blocks = json::parse(R"({"pair": {"layers": [{"type": "relu"}, {"layers": [{"type": "tanh"}]}]}})");
  // A named entry uses up a number too, so the relu after the group has the name 1.
  EXPECT_EQ(tests::layer_names(tests::expand_layers({4}, layers, schema::Mode::train, blocks)),
            (Strings{"features.0", "features.1", "features.2", "features.last", "features.4", "1"}));
}

TEST(Expand, NamedBlocksAndGroupsOpenScopes) {
  const json layers = json::parse(R"([{"name": "layer1", "layers": [
      {"name": "{i}", "repeat": 2, "from": 1, "block": "unit"}]}])");
  const json blocks = json::parse(R"({"unit": {"layers": [{"type": "relu", "name": "a"},
      {"name": "deep", "layers": [{"type": "relu"}]}]}})");
  EXPECT_EQ(tests::layer_names(tests::expand_layers({4}, layers, schema::Mode::train, blocks)),
            (Strings{"layer1.1.a", "layer1.1.deep.0", "layer1.2.a", "layer1.2.deep.0"}));
}

TEST(Expand, BlocksTakeTurns) {
  const json blocks = json::parse(R"({"a": {"layers": [{"type": "relu"}]}, "b": {"layers": [{"type": "tanh"}]}})");
  const auto types = [&](const char* entry) {
    Strings found;
    for (const model::Layer& layer :
         tests::expand_layers({4}, json::array({json::parse(entry)}), schema::Mode::train, blocks).layers)
      found.push_back(layer.node.type);
    return found;
  };
  EXPECT_EQ(types(R"({"repeat": 5, "block": ["a", "a", "b"]})"), (Strings{"relu", "relu", "tanh", "relu", "relu"}));
  EXPECT_EQ(types(R"({"repeat": 1, "block": ["a", "b"]})"), Strings{"relu"}) << "b counts as used";
  for (const char* wrong :
       {R"({"block": ["a", "b"]})", R"({"repeat": 2, "block": []})", R"({"repeat": 2, "block": ["a", "c"]})"})
    EXPECT_NE(tests::error_of([&] { (void)types(wrong); }), "") << wrong;
}

TEST(Expand, RepeatsMayEndAtANumber) {
  const auto names = [](const char* entry) {
    return tests::layer_names(tests::expand_layers({4}, json::array({json::parse(entry)})));
  };
  EXPECT_EQ(names(R"({"type": "relu", "name": "{i}", "from": 1, "to": 3})"), (Strings{"1", "2"}));
  EXPECT_EQ(names(R"({"type": "relu", "name": "a-{i}", "to": 1})"), Strings{"a-0"});
  for (const char* wrong : {R"({"type": "relu", "name": "{i}", "from": 3, "to": 3})",
                            R"({"type": "relu", "name": "{i}", "repeat": 1, "to": 1})"})
    EXPECT_NE(tests::error_of([&] { (void)names(wrong); }), "") << wrong;
}

TEST(Expand, AuxiliaryHeadsRunOnlyInTraining) {
  const json layers = json::parse(R"([{"type": "relu", "name": "a"}, {"name": "head", "auxiliary": 0.3, "layers": [
      {"type": "tanh"}, {"type": "relu"}]}, {"type": "sigmoid"}])");
  const model::Graph trains = tests::expand_layers({4}, layers);
  EXPECT_EQ(tests::layer_names(trains), (Strings{"a", "head.0", "head.1", "2"}));
  EXPECT_EQ(trains.layers.back().node.inputs, trains.layers[1].node.inputs) << "the next entry reads what came before";
  ASSERT_EQ(trains.auxiliary.size(), 1U);
  EXPECT_EQ(trains.auxiliary[0].slot, trains.layers[2].node.output);
  EXPECT_EQ(trains.auxiliary[0].factor, 0.3);
  EXPECT_NO_THROW(model::require_no_dead_ends(trains));

  const model::Graph infers = tests::expand_layers({4}, layers, schema::Mode::infer);
  EXPECT_EQ(tests::layer_names(infers), (Strings{"a", "2"}));
  EXPECT_EQ(infers.values.size(), 3U);
  EXPECT_TRUE(infers.auxiliary.empty());

  for (const char* wrong : {R"([{"type": "relu", "auxiliary": 1, "repeat": 2}])",
                            R"([{"type": "relu", "auxiliary": -1}, {"type": "relu"}])",
                            R"([{"type": "relu", "name": "h", "auxiliary": 1}, {"type": "relu", "input": "h"}])"}) {
    for (const schema::Mode mode : {schema::Mode::train, schema::Mode::infer})
      EXPECT_NE(tests::error_of([&] { (void)tests::expand_layers({4}, json::parse(wrong), mode); }), "") << wrong;
  }
}

TEST(Expand, ParametersMayGrowByTheRound) {
  const json blocks = json::parse(R"({"b": {"parameters": {"width": null, "p": null},
      "layers": [{"type": "linear", "out_features": "$width"}, {"type": "dropout", "p": [0.5, "$p"]}]}})");
  const auto expanded = [&](const char* with) {
    return tests::expand_layers({4}, json::array({json::parse(with)}), schema::Mode::train, blocks);
  };
  const model::Graph graph = expanded(R"({"repeat": 3, "block": "b",
      "with": {"width": {"first": 8, "step": 4}, "p": {"first": 0.2, "step": 0.1}}})");
  for (const std::size_t round : {0U, 1U, 2U}) {
    EXPECT_EQ(graph.layers[2 * round].node.shape.back(), 8 + 4 * static_cast<std::int64_t>(round));
    EXPECT_DOUBLE_EQ(graph.layers[2 * round + 1].node.options.at("p").get<double>(),
                     0.5 * (0.2 + 0.1 * static_cast<double>(round)));
  }
  EXPECT_TRUE(tests::contains(
      tests::error_of([&] { (void)expanded(R"({"block": "b", "with": {"width": {"first": 8, "step": 4}, "p": 0}})"); }),
      "'first' and 'step' count the rounds of 'repeat', which is missing"));
}

TEST(Expand, RepeatsChainAndCountInGroupsToo) {
  const json layers = json::parse(R"([{"repeat": 2, "layers": [
      {"type": "relu", "name": "r{i}"}, {"type": "tanh", "name": "t{i}", "input": "r{i}"}]},
      {"type": "relu", "repeat": 2}])");
  const model::Graph graph = tests::expand_layers({4}, layers);
  EXPECT_EQ(tests::layer_names(graph), (Strings{"r0", "t0", "r1", "t1", "4", "5"}));
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    EXPECT_EQ(inputs_of(graph, i), std::vector<int>{static_cast<int>(i)});
  }
  EXPECT_EQ(graph.output, 6);
}

TEST(Expand, NamesAreFoundFromTheInnermostScopeOutward) {
  const json layers = json::parse(R"([
    {"type": "relu", "name": "near"},
    {"type": "tanh", "name": "far"},
    {"name": "outer", "layers": [
      {"type": "sigmoid", "name": "near"},
      {"name": "inner", "layers": [
        {"type": "add", "inputs": ["near", "far"]},
        {"type": "add", "inputs": ["in", "outer.in"]},
        {"type": "add", "inputs": ["outer.near", "x"]}]}]}])");
  const model::Graph graph = tests::expand_layers({4}, layers);
  // The slots are: 0 for x, 1 for near, 2 for far, 3 for outer.near.
  EXPECT_EQ(inputs_of(graph, 3), (std::vector<int>{3, 2}));
  EXPECT_EQ(inputs_of(graph, 4), (std::vector<int>{3, 2}));
  EXPECT_EQ(inputs_of(graph, 5), (std::vector<int>{3, 0}));
}

TEST(Expand, InIsTheInputOfTheInnermostBlock) {
  const json layers = json::parse(R"([{"type": "relu", "name": "first"}, {"type": "relu"},
      {"input": "first", "block": "residual"}, {"type": "add", "inputs": ["in", "first"]}])");
  const json blocks = json::parse(R"({"residual": {"layers": [{"type": "tanh", "name": "body"},
      {"type": "add", "inputs": ["body", "in"]}]}})");
  const model::Graph graph = tests::expand_layers({4}, layers, schema::Mode::train, blocks);
  EXPECT_EQ(inputs_of(graph, 2), std::vector<int>{1});
  EXPECT_EQ(inputs_of(graph, 3), (std::vector<int>{3, 1}));
  EXPECT_EQ(inputs_of(graph, 4), (std::vector<int>{0, 1})) << "at the top, in is the first model input";
}

TEST(Expand, AGroupStandsForItsLastLayer) {
  const json layers = json::parse(R"([{"name": "g", "layers": [{"type": "relu"}, {"type": "tanh"}]},
      {"type": "relu"}, {"type": "add", "inputs": ["1", "g"]}])");
  EXPECT_EQ(inputs_of(tests::expand_layers({4}, layers), 3), (std::vector<int>{3, 2}));
}

TEST(Expand, BlockParametersHideTheModels) {
  const json document = json::parse(R"({"inputs": [{"name": "x", "dtype": "float32", "shape": ["$width"]}],
    "blocks": {"inner": {"parameters": {"width": 3, "bias": true}, "layers": [
                 {"type": "linear", "out_features": "$width", "bias": "$bias"}]},
               "outer": {"parameters": {"size": null}, "layers": [
                 {"block": "inner", "with": {"width": "$size", "bias": false}}, {"block": "inner"},
                 {"type": "linear", "out_features": "$width"}]}},
    "layers": [{"block": "outer", "with": {"size": 5}}]})");
  model::Environment parameters("the model");
  parameters.set("width", 7);
  const model::Graph graph = model::expand(base::Reader(document, "f"), parameters, 2, schema::Mode::train);
  EXPECT_EQ(graph.layers[0].node.tensors[0].shape, (schema::Shape{5, 7}));
  EXPECT_EQ(graph.layers[0].node.tensors.size(), 1U);
  EXPECT_EQ(graph.layers[1].node.tensors[0].shape, (schema::Shape{3, 5}));
  EXPECT_EQ(graph.layers[1].node.tensors.size(), 2U);
  EXPECT_EQ(graph.layers[2].node.tensors[0].shape, (schema::Shape{7, 3}));
}

TEST(Expand, OptionsAreCompleteAndNormalised) {
  const model::Graph graph = tests::expand_layers(
      {3, 9, 9}, json::parse(R"([{"type": "conv2d", "out_channels": 4, "kernel_size": 3, "padding": [1, 0]},
                                 {"type": "max_pool2d", "kernel_size": [2, 3]}])"));
  EXPECT_EQ(graph.layers[0].node.options,
            json::parse(R"({"out_channels": 4, "kernel_size": [3, 3], "stride": [1, 1], "padding": [1, 0],
                            "dilation": [1, 1], "groups": 1, "bias": true})"));
  EXPECT_EQ(graph.layers[1].node.options.at("stride"), json::parse("[2, 3]"));
}

TEST(Names, FindsInnermostFirst) {
  model::Names names;
  EXPECT_TRUE(names.add("x", 0));
  EXPECT_TRUE(names.add("a.x", 1));
  EXPECT_TRUE(names.add("a.b.c", 2));
  EXPECT_FALSE(names.add("a.x", 3));
  EXPECT_EQ(names.find("a.b", "x"), 1);
  EXPECT_EQ(names.find("", "x"), 0);
  EXPECT_EQ(names.find("z", "x"), 0);
  EXPECT_EQ(names.find("a.z", "b.c"), 2);
  EXPECT_EQ(names.find("a.b", "y"), std::nullopt);
}

TEST(Names, ScopesCompose) {
  EXPECT_EQ(model::Scope{"layer1"}.full_name("0"), "layer1.0");
  EXPECT_EQ(model::Scope{}.full_name("0"), "0");
}

TEST(Names, TheRoundTakesThePlaceOfI) {
  EXPECT_EQ(model::with_index("b{i}_{i}", 12), "b12_12");
  EXPECT_EQ(model::with_index("plain", std::nullopt), "plain");
  EXPECT_EQ(model::with_index("b{i}", std::nullopt), std::nullopt);
}

// Hostile files. Each must hit a limit before it exhausts memory or stack.

TEST(Expand, BoundsTheNumberOfLayers) {
  json layers = json::array({{{"type", "relu"}, {"repeat", 10'000}}});
  EXPECT_EQ(tests::expand_layers({4}, layers).layers.size(), 10'000U);
  layers.push_back(kRelu);
  EXPECT_TRUE(tests::contains(tests::error_of([&] { (void)tests::expand_layers({4}, layers); }),
                              "test.json: $.layers[1]: the network has more than 10000 layers"));
}

TEST(Expand, BoundsBlocksThatMultiply) {
  json blocks = {{"b0", {{"layers", {kRelu, kRelu}}}}};
  for (int i = 1; i < 60; ++i) {
    const json use = {{"block", "b" + std::to_string(i - 1)}};
    blocks["b" + std::to_string(i)] = {{"layers", {use, use}}};
  }
  const std::string message =
      tests::error_of([&] { (void)tests::expand_layers({4}, {{{"block", "b59"}}}, schema::Mode::train, blocks); });
  EXPECT_TRUE(tests::contains(message, "$.blocks.b0.layers[0]: the network has more than 10000 layers")) << message;
}

TEST(Expand, BoundsTheDepth) {
  json blocks = {{"b0", {{"layers", {kRelu}}}}};
  for (int i = 1; i < 3000; ++i) {
    blocks["b" + std::to_string(i)] = {{"layers", {{{"block", "b" + std::to_string(i - 1)}}}}};
  }
  const std::string message =
      tests::error_of([&] { (void)tests::expand_layers({4}, {{{"block", "b2999"}}}, schema::Mode::train, blocks); });
  EXPECT_TRUE(tests::contains(message, "nested more than 64 deep")) << message;
}

TEST(Expand, BoundsNames) {
  const std::string name(100, 'n');
  json entry = {{"type", "relu"}, {"name", name}};
  for (int i = 0; i < 6; ++i) entry = {{"name", name}, {"layers", json::array({entry})}};
  EXPECT_TRUE(tests::contains(tests::error_of([&] { (void)tests::expand_layers({4}, json::array({entry})); }),
                              "longer than 200"));
  const std::string huge(1'000'000, '{');
  for (const char* key : {"name", "type", "input", "block"}) {
    json layer = kRelu;
    layer[key] = huge;
    const std::string message = tests::error_of([&] { (void)tests::expand_layers({4}, json::array({layer})); });
    EXPECT_FALSE(message.empty()) << key;
    EXPECT_LT(message.size(), 400U) << key;
  }
}

TEST(Expand, ParametersDoNotNestInParameters) {
  json blocks = {{"b0", {{"parameters", {{"p", nullptr}}}, {"layers", {kRelu}}}}};
  for (int i = 1; i < 40; ++i) {
    blocks["b" + std::to_string(i)] = {
        {"parameters", {{"p", nullptr}}},
        {"layers", {{{"block", "b" + std::to_string(i - 1)}, {"with", {{"p", {"$p", "$p"}}}}}}}};
  }
  const json use = {{{"block", "b39"}, {"with", {{"p", 1}}}}};
  const std::string message =
      tests::error_of([&] { (void)tests::expand_layers({4}, use, schema::Mode::train, blocks); });
  EXPECT_TRUE(tests::contains(message, "$.blocks.b38.layers[0].with.p[0]: expected a whole number")) << message;
}

}  // namespace
}  // namespace mpsbench
