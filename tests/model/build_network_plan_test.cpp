#include "model/build_network_plan.hpp"

#include "base/hex.hpp"
#include "model/networks.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace mpsbench {
namespace {

using tests::json;

struct Counts {
  const char* model;
  std::int64_t parameters;
  std::int64_t parameters_of_10_classes;
  std::int64_t buffer_elements;
  std::int64_t macs_of_a_row;
};

// The counts that torchvision publishes. For BERT it is 22,348,431,360 / 2, plus 768 x 6 for the classifier.
const std::vector<Counts> kPublished = {
    {"alexnet", 61'100'840, 57'044'810, 0, 714'188'480},
    {"vgg11", 132'863'336, 128'807'306, 0, 7'609'090'048},
    {"vgg11_bn", 132'868'840, 128'812'810, 5'512, 7'609'090'048},
    {"vgg13", 133'047'848, 128'991'818, 0, 11'308'466'176},
    {"vgg13_bn", 133'053'736, 128'997'706, 5'898, 11'308'466'176},
    {"vgg16", 138'357'544, 134'301'514, 0, 15'470'264'320},
    {"vgg16_bn", 138'365'992, 134'309'962, 8'461, 15'470'264'320},
    {"vgg16_bn-cifar10", 134'309'962, 134'309'962, 8'461, 15'466'209'280},
    {"vgg19", 143'667'240, 139'611'210, 0, 19'632'062'464},
    {"vgg19_bn", 143'678'248, 139'622'218, 11'024, 19'632'062'464},
    {"resnet18", 11'689'512, 11'181'642, 9'620, 1'814'073'344},
    {"resnet34", 21'797'672, 21'289'802, 17'060, 3'663'761'408},
    {"resnet50", 25'557'032, 23'528'522, 53'173, 4'089'184'256},
    {"resnet101", 44'549'160, 42'520'650, 105'448, 7'801'405'440},
    {"resnet152", 60'192'808, 58'164'298, 151'579, 11'513'626'624},
    {"lenet5", 61'706, 61'706, 0, 416'520},
    {"mlp", 658'698, 658'698, 0, 657'920},
    {"mlp-mnist", 242'314, 242'314, 0, 242'304},
    {"bert-base", 109'486'854, 109'489'930, 0, 11'174'220'288},
};

TEST(BuildNetworkPlan, AnAuxiliaryOutputHasTheShapeOfTheLogits) {
  const auto plan = [](int outputs) {
    const json document{{"name", "net"},
                        {"inputs", {{{"name", "x"}, {"dtype", "float32"}, {"shape", {4}}}}},
                        {"layers",
                         {{{"type", "linear"}, {"name", "head"}, {"out_features", outputs}, {"auxiliary", 0.3}},
                          {{"type", "linear"}, {"name", "last"}, {"out_features", 3}}}},
                        {"loss", "cross_entropy"},
                        {"optimizer", {{"name", "sgd"}}},
                        {"batch_size", 2},
                        {"rows", 64}};
    return tests::plan_of(model::read_definition(document, "f.json"), 2);
  };
  EXPECT_EQ(plan(3).auxiliary.size(), 1U);
  EXPECT_EQ(plan(3).parameters, 2 * 15);
  EXPECT_EQ(tests::error_of([&] { (void)plan(5); }),
            "f.json: $.layers: an auxiliary output is [2, 5], but must have the shape of the network's output, [2, 3]");
}

TEST(BuildPlan, CountsAreThePublishedOnes) {
  for (const Counts& expected : kPublished) {
    const model::Definition definition = tests::load_model(expected.model);
    const schema::NetworkPlan plan = tests::plan_of(definition, 1, schema::Mode::infer);
    EXPECT_EQ(plan.parameters, expected.parameters) << expected.model;
    EXPECT_EQ(plan.trainable_parameters, expected.parameters) << expected.model;
    EXPECT_EQ(plan.parameter_bytes, 4 * expected.parameters) << expected.model;
    EXPECT_EQ(plan.forward_macs, expected.macs_of_a_row) << expected.model;
    std::int64_t buffers = 0;
    for (const auto& node : plan.nodes) {
      for (const auto& tensor : node.tensors) {
        std::int64_t elements = 1;
        for (const std::int64_t size : tensor.shape) elements *= size;
        if (!tensor.trainable) buffers += elements;
      }
    }
    EXPECT_EQ(buffers, expected.buffer_elements) << expected.model;
    const schema::NetworkPlan ten =
        model::build_network_plan(definition, 3, {{"classes", 10}}, definition.loss, schema::Mode::train);
    EXPECT_EQ(ten.parameters, expected.parameters_of_10_classes) << expected.model;
    EXPECT_EQ(ten.target_high, 10) << expected.model;
    EXPECT_EQ(ten.target_shape, schema::Shape{3}) << expected.model;
  }
}

// The counts of transformers 5.23. A shared tensor counts once.
TEST(BuildPlan, DecodersHaveTheirPublishedParameters) {
  const std::pair<const char*, std::int64_t> published[] = {
      {"gpt2", 124'439'808},         {"smollm2-135m", 134'515'008},   {"llama-3.2-1b", 1'235'814'400},
      {"qwen2.5-0.5b", 494'032'768}, {"qwen3-0.6b", 596'049'920},     {"gemma-3-270m", 268'098'176},
      {"mistral-7b", 7'248'023'552}, {"llama-3.1-8b", 8'030'261'248}, {"phi-3-mini-4k", 3'821'079'552}};
  for (const auto& [name, parameters] : published) {
    const schema::NetworkPlan plan = tests::plan_of(tests::load_model(name), 1);
    EXPECT_EQ(plan.parameters, parameters) << name;
    EXPECT_EQ(plan.parameter_bytes, 4 * parameters) << name;
    EXPECT_EQ(plan.target_shape, (schema::Shape{1, 1024})) << name;
  }
}

// Of the lines "NAME SHAPE" that torchvision 0.29 and transformers 5.23 print of their state dicts.
const std::pair<const char*, const char*> kStateDicts[] = {
    {"alexnet", "8119ea5294a9c8c7fada0789320819aa5661f30091366dbaf5e8996fdad6df61"},
    {"vgg11_bn", "95fe7e52ce3f0292da61a717645b2af5569439e7540b95db7278cbbd1aa28723"},
    {"resnet18", "02568eab318c210f0d857b7e345cc37b86e30b66a49663acb8af1653c0d25830"},
    {"resnet50", "45c8e0b2d327f1cd29b3d1181bb5f512060349c9662ceb382b545cf1d108ac62"},
    {"bert-tiny", "8462cc1a569adde9ebb2034bedd722e206dac65deb02794dd8e5b2640733fa6f"}};

TEST(BuildPlan, TensorsAreThoseOfTheStateDictsInOrder) {
  for (const auto& [name, sha256] : kStateDicts) {
    std::string found;
    for (const auto& node : tests::plan_of(tests::load_model(name), 2).nodes) {
      for (const auto& tensor : node.tensors) found += tensor.name + " " + schema::to_string(tensor.shape) + "\n";
    }
    EXPECT_EQ(base::sha256_hex(found), sha256) << name << " has other tensors than its original:\n" << found;
  }
}

TEST(BuildPlan, BackwardCountsWeightAndInputGradients) {
  const model::Definition mlp = tests::load_model("mlp");
  const schema::NetworkPlan plan = tests::plan_of(mlp, 1024);
  EXPECT_EQ(plan.forward_macs, 1024 * 657'920);
  // The first layer's input needs no gradient.
  EXPECT_EQ(plan.backward_macs, 1024 * (2 * 657'920 - 1024 * 512));
  EXPECT_EQ(schema::flops_per_step(plan, schema::Mode::train), 2'968'518'656);
  EXPECT_EQ(schema::flops_per_step(plan, schema::Mode::infer), 1'347'420'160);
  EXPECT_EQ(tests::plan_of(mlp, 1024, schema::Mode::infer).backward_macs, 0);
}

TEST(BuildPlan, TakesAnotherNumberOfTokens) {
  const model::Definition bert = tests::load_model("bert-base");
  const auto plan = [&](double tokens) {
    return model::build_network_plan(bert, 1, {{"tokens", tokens}}, bert.loss, schema::Mode::infer);
  };
  EXPECT_EQ(plan(128).forward_macs, tests::plan_of(bert, 1, schema::Mode::infer).forward_macs);
  EXPECT_EQ(plan(512).inputs.at(0).shape, (schema::Shape{1, 512}));
  // transformers' BertModel at 512 tokens, counted as 2 FLOP each, plus the head.
  EXPECT_EQ(2 * (plan(512).forward_macs - 768 * 6), 96'637'943'808);
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)plan(513); }),
                              "--max-length 513: the model 'bert-base' cannot have this: "));
  const model::Definition mlp = tests::load_model("mlp");
  EXPECT_EQ(tests::usage_error_of(
                [&] { (void)model::build_network_plan(mlp, 1, {{"tokens", 8}}, mlp.loss, schema::Mode::infer); }),
            "--max-length: the model 'mlp' has no parameter 'tokens'");
}

TEST(BuildPlan, BytesOfInputsAndActivations) {
  const schema::NetworkPlan plan = tests::plan_of(tests::load_model("mlp"), 2);
  EXPECT_EQ(plan.input_bytes, 2 * 1024 * 4);
  // The second and third linear layers keep their inputs. The first one's input is the model's and not counted.
  EXPECT_EQ(plan.activation_bytes, 2 * 4 * (512 + 256));
  const schema::NetworkPlan bert = tests::plan_of(tests::load_model("bert-tiny"), 2);
  EXPECT_EQ(bert.input_bytes, 3 * 2 * 128 * 8);
  // Two layers read the stem's output, but it counts once. Pooling, joining and in-place layers keep nothing.
  const schema::NetworkPlan branches = tests::plan_of(tests::load(tests::test_files() / "two_branches.json"), 1);
  EXPECT_EQ(branches.activation_bytes, 4 * (32 * 32 * (16 + 8) + 32));
}

TEST(BuildPlan, DropoutReachesEveryDropout) {
  const model::Definition bert = tests::load_model("bert-tiny");
  const schema::NetworkPlan plan = model::build_network_plan(bert, 2, {{"dropout", 0}}, bert.loss, schema::Mode::train);
  int seen = 0;
  for (const auto& node : plan.nodes) {
    const char* option = node.type == "dropout" ? "p" : "dropout_p";
    if (!node.options.contains(option)) continue;
    EXPECT_EQ(node.options.at(option), 0.0) << node.name;
    ++seen;
  }
  EXPECT_EQ(seen, 1 + 2 * 3 + 1);  // 1 for the embeddings, 3 for each of two layers, 1 for the head
}

TEST(BuildPlan, RefusesAParameterThatTheNetworkLacks) {
  const model::Definition resnet = tests::load_model("resnet18");
  EXPECT_EQ(tests::error_of([&] {
              (void)model::build_network_plan(resnet, 1, {{"dropout", 0.1}}, resnet.loss, schema::Mode::train);
            }),
            "--dropout: the model 'resnet18' has no parameter 'dropout'");
  const model::Definition branches = tests::load(tests::test_files() / "two_branches.json");
  EXPECT_EQ(tests::error_of([&] {
              (void)model::build_network_plan(branches, 1, {{"classes", 5}}, branches.loss, schema::Mode::train);
            }),
            "--classes: the model 'two_branches' has no parameter 'classes'");
}

TEST(BuildPlan, RefusesClassesAndDropoutOutOfRange) {
  const model::Definition vgg = tests::load_model("vgg11");
  const auto plan = [&](const model::ParameterChanges& changes) {
    return tests::error_of([&] { (void)model::build_network_plan(vgg, 1, changes, vgg.loss, schema::Mode::infer); });
  };
  EXPECT_EQ(plan({{"classes", 0}}), "--classes: expected a whole number from 1 to 2147483647");
  EXPECT_EQ(plan({{"classes", 1e15}}), "--classes: expected a whole number from 1 to 2147483647");
  EXPECT_EQ(plan({{"dropout", 1.5}}), "--dropout: expected a number from 0 to 1");
  EXPECT_EQ(plan({{"dropout", -0.5}}), "--dropout: expected a number from 0 to 1");
}

TEST(BuildPlan, ChangesAnyParameter) {
  const model::Definition gpt2 = tests::load_model("gpt2");
  const auto plan = [&](const model::ParameterChanges& changes) {
    return model::build_network_plan(gpt2, 1, changes, gpt2.loss, schema::Mode::train);
  };
  EXPECT_EQ(plan({{"layers", 12}}).parameters, 124'439'808);
  // transformers' GPT2LMHeadModel with n_layer=24, n_embd=1024, n_head=16 and n_inner=4096: gpt2-medium.
  EXPECT_EQ(plan({{"layers", 24}, {"hidden", 1024}, {"heads", 16}, {"intermediate", 4096}}).parameters, 354'823'168);
  const auto error = [&](const model::ParameterChanges& changes) {
    return tests::error_of([&] { (void)plan(changes); });
  };
  EXPECT_EQ(error({{"layer", 4}}),
            "--set: the model 'gpt2' has no parameter 'layer' (did you mean 'layers'?); it has dropout, heads, hidden, "
            "intermediate, layers, positions, tokens, vocabulary");
  EXPECT_TRUE(tests::contains(error({{"layers", 1.5}}), "--set layers=1.5: the model 'gpt2' cannot have this: "));
  EXPECT_TRUE(tests::contains(error({{"layers", 0}}), "--set layers=0: the model 'gpt2' cannot have this: "));
  EXPECT_TRUE(tests::contains(error({{"heads", 7}}), "--set heads=7: the model 'gpt2' cannot have this: "));
}

TEST(BuildPlan, RefusesABatchThatNoMachineHolds) {
  const model::Definition mlp = tests::load_model("mlp");
  for (const std::int64_t batch : {std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()}) {
    const std::string message = tests::error_of([&] { (void)tests::plan_of(mlp, batch); });
    EXPECT_TRUE(tests::contains(message, "mlp.json: $.inputs[0].shape: with the batch")) << message;
  }
  EXPECT_NE(tests::error_of([&] { (void)tests::plan_of(mlp, 0); }), "");
}

TEST(BuildPlan, RefusesToTrainABatchNormOnOneValue) {
  json document = json::parse(R"({"name": "n", "inputs": [{"name": "x", "dtype": "float32", "shape": [4, 1, 1]}],
    "layers": [{"type": "conv2d", "out_channels": 2, "kernel_size": 1}, {"type": "batch_norm2d"}, {"type": "flatten"}],
    "loss": "mse", "optimizer": {"name": "adam"}, "batch_size": 1, "rows": 1})");
  const model::Definition definition = model::read_definition(document, "n.json");
  EXPECT_TRUE(
      tests::contains(tests::error_of([&] { (void)tests::plan_of(definition, 1); }), "n.json: $.layers[1]: training"));
  EXPECT_EQ(tests::error_of([&] { (void)tests::plan_of(definition, 2); }), "");
}

TEST(BuildPlan, NetsWrittenOnlyInJson) {
  const auto plan = [](const char* file) { return tests::plan_of(tests::load(tests::test_files() / file), 2); };
  EXPECT_EQ(plan("two_branches.json").parameters, 448 + 136 + 1160 + 240 + 330);
  EXPECT_EQ(plan("every_layer.json").nodes.back().shape, (schema::Shape{2, 5}));
}

TEST(BuildPlan, NetsOfOtherDepthAndWidth) {
  const auto changed = [](const char* model, const json& changes) {
    const json document = tests::load_model(model).document.patch(changes);
    return tests::plan_of(model::read_definition(document, "changed.json"), 2);
  };
  const json shallow = json::parse(R"([{"op": "remove", "path": "/layers/7"},
      {"op": "replace", "path": "/layers/6/layers/1/repeat", "value": 2},
      {"op": "remove", "path": "/layers/5/layers/1"}])");
  const schema::NetworkPlan resnet = changed("resnet50", shallow);
  EXPECT_EQ(resnet.nodes.back().tensors.front().shape, (schema::Shape{1000, 1024}));
  const json bert = {{{"op", "replace"},
                      {"path", "/parameters"},
                      {"value", json::parse(R"({"classes": 6, "dropout": 0.1, "tokens": 32, "vocabulary": 1000,
                                                "hidden": 64, "heads": 4, "intermediate": 256, "layers": 3})")}}};
  EXPECT_EQ(changed("bert-base", bert).parameters, 1000 * 64 + 512 * 64 + 2 * 64 + 128 + 3 * 49'984 + 4160 + 390);
}

}  // namespace
}  // namespace mpsbench
