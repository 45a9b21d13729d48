#include "model/graph.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mpsbench {

namespace {

using tests::json;

std::string in_place_error(const char* layers, schema::Mode mode = schema::Mode::train) {
  const model::Graph graph = tests::expand_layers({4, 8, 8}, json::parse(layers), mode);
  return tests::error_of([&] { model::require_safe_in_place(graph, mode); });
}

TEST(Liveness, EverySlotButTheOutputIsReleasedOnceAtItsLastUse) {
  for (const char* name : {"resnet18", "bert-tiny", "vgg11_bn"}) {
    const schema::NetworkPlan plan = tests::plan_of(tests::load_model(name), 2);
    std::set<int> released;
    for (const auto& node : plan.nodes) {
      for (const int slot : node.inputs) EXPECT_FALSE(released.contains(slot)) << name << " " << node.name;
      for (const int slot : node.release) {
        EXPECT_TRUE(released.insert(slot).second) << name << " " << node.name;
        EXPECT_NE(std::find(node.inputs.begin(), node.inputs.end(), slot), node.inputs.end());
      }
    }
    EXPECT_EQ(released.size(), static_cast<std::size_t>(plan.slots) - 1) << name;
    EXPECT_FALSE(released.contains(plan.output)) << name;
  }
}

TEST(Liveness, ResidualsAndActivationsMayOverwriteWhatIsDone) {
  EXPECT_EQ(in_place_error(R"([
    {"type": "conv2d", "name": "a", "out_channels": 4, "kernel_size": 1}, {"type": "relu", "inplace": true},
    {"type": "conv2d", "name": "b", "out_channels": 4, "kernel_size": 1},
    {"type": "add", "inputs": ["b", "1"], "inplace": true}, {"type": "relu", "inplace": true}])"),
            "");
}

TEST(Liveness, RefusesToOverwriteWhatIsReadLater) {
  const std::string message = in_place_error(R"([
    {"type": "conv2d", "name": "a", "out_channels": 4, "kernel_size": 1}, {"type": "relu", "inplace": true},
    {"type": "conv2d", "name": "b", "out_channels": 4, "kernel_size": 1}, {"type": "add", "inputs": ["b", "a"]}])");
  EXPECT_EQ(
      message,
      "test.json: $.layers[1]: this in-place layer overwrites what '3' reads later; leave 'inplace' out (relu '1')");
}

TEST(Liveness, SeesThroughViews) {
  const std::string message = in_place_error(R"([
    {"type": "conv2d", "name": "a", "out_channels": 4, "kernel_size": 1}, {"type": "flatten"},
    {"type": "relu", "inplace": true}, {"type": "unflatten", "dim": 1, "sizes": [4, 8, 8]},
    {"type": "add", "inputs": ["3", "a"]}])");
  EXPECT_TRUE(tests::contains(message, "$.layers[2]: this in-place layer overwrites what '4' reads later")) << message;
}

TEST(Liveness, RefusesToOverwriteWhatABackwardPassKeeps) {
  // tanh keeps its output; a convolution keeps its input.
  const char* after_tanh = R"([{"type": "batch_norm2d"}, {"type": "tanh"}, {"type": "relu", "inplace": true}])";
  EXPECT_TRUE(tests::contains(in_place_error(after_tanh), "backward pass of '1'"));
  EXPECT_EQ(in_place_error(after_tanh, schema::Mode::infer), "");
  EXPECT_TRUE(tests::contains(in_place_error(R"([
    {"type": "batch_norm2d", "name": "n"}, {"type": "conv2d", "name": "c", "out_channels": 4, "kernel_size": 1},
    {"type": "relu", "input": "n", "inplace": true}, {"type": "add", "inputs": ["c", "2"]}])"),
                              "backward pass of 'c'"));
  EXPECT_TRUE(tests::contains(in_place_error(R"([{"type": "batch_norm2d"}, {"type": "leaky_relu", "inplace": true},
                               {"type": "silu", "inplace": true}])"),
                              "$.layers[2]: this in-place layer overwrites what the backward pass of '1'"));
}

// model.in_place compares all pairs with PyTorch.
TEST(Liveness, MayOverwriteWhatABackwardPassDoesNotKeep) {
  for (const char* chain : {
           // An in-place silu keeps a copy of its input.
           R"([{"type": "batch_norm2d"}, {"type": "silu", "inplace": true}, {"type": "relu", "inplace": true}])",
           // Without a gradient, tanh keeps nothing.
           R"([{"type": "tanh"}, {"type": "relu", "inplace": true}, {"type": "batch_norm2d"}])",
           // Pooling to 1x1 is a mean.
           R"([{"type": "batch_norm2d", "name": "n"}, {"type": "adaptive_avg_pool2d", "output_size": 1, "name": "p"},
               {"type": "relu", "input": "n", "inplace": true}, {"type": "add", "inputs": ["p", "2"]}])",
           // The input needs no gradient, so the product does not keep the factor n.
           R"([{"type": "batch_norm2d", "name": "n"}, {"type": "mul", "inputs": ["n", "x"], "name": "m"},
               {"type": "relu", "input": "n", "inplace": true}, {"type": "add", "inputs": ["m", "2"]}])",
       }) {
    EXPECT_EQ(in_place_error(chain), "") << chain;
  }
}

TEST(Liveness, RefusesToAddWhatItOverwritesInAnotherOrder) {
  EXPECT_TRUE(tests::contains(
      in_place_error(R"([{"type": "batch_norm2d", "name": "n"}, {"type": "transpose", "dim0": 2, "dim1": 3},
                               {"type": "add", "inputs": ["n", "1"], "inplace": true}])"),
      "reads the same memory in another order"));
}

TEST(Liveness, RefusesToOverwriteTheBatch) {
  EXPECT_TRUE(tests::contains(in_place_error(R"([{"type": "flatten"}, {"type": "dropout", "inplace": true}])"),
                              "$.layers[1]: this in-place layer would overwrite the model's input"));
}

TEST(Liveness, FindsDeadEnds) {
  const model::Graph graph = tests::expand_layers(
      {4}, json::parse(R"([{"type": "relu"}, {"type": "tanh", "input": "x"}, {"type": "relu", "input": "x"}])"));
  EXPECT_EQ(tests::error_of([&] { model::require_no_dead_ends(graph); }),
            "test.json: $.layers[0]: no later layer reads this output, and it is not the network's output; remove the "
            "layer (relu '0')");
}

TEST(Liveness, AParameterIsNeverOverwritten) {
  constexpr const char* kLayers = R"([{"type": "parameter", "name": "scale", "shape": [4, 1, 1]},
      {"type": "relu", "inplace": true}, {"type": "mul", "inputs": ["in", "1"]}])";
  for (const schema::Mode mode : {schema::Mode::train, schema::Mode::infer})
    EXPECT_TRUE(tests::contains(in_place_error(kLayers, mode), "would overwrite the parameter 'scale'"));
}

TEST(Liveness, PeakOfActivations) {
  // 2 rows of 4 bytes; relu keeps its output, and linear its input. There are two more of the logits.
  constexpr const char* kLayers = R"([{"type": "linear", "out_features": 10}, {"type": "relu"},
      {"type": "linear", "out_features": 3}])";
  const auto peak = [&](schema::Mode mode) {
    return model::peak_activation_bytes(tests::expand_layers({4}, json::parse(kLayers), mode), mode);
  };
  EXPECT_EQ(peak(schema::Mode::infer), 2 * 4 * (10 + 10 + 2 * 3));
  EXPECT_EQ(peak(schema::Mode::train), 2 * 4 * (10 + 10 + 2 * 3));
}

}  // namespace

}  // namespace mpsbench
