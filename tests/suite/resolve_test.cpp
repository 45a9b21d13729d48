#include "suite/resolve.hpp"

#include "base/safetensors.hpp"
#include "model/build_network_plan.hpp"
#include "suite/support.hpp"
#include "support/mnist_files.hpp"
#include "support/scratch.hpp"

namespace mpsbench::suite {
namespace {

using tests::contains;
using tests::definition_of;
using tests::Scratch;
using tests::settings_of;
using tests::usage_error_of;

const Host kFourCores{4, std::int64_t{8} << 30, tests::devices_here({"cpu"})};

MatrixPoint point(std::int64_t batch_size, schema::Mode mode = schema::Mode::train) {
  return {mode, "cpu", batch_size};
}

schema::PlannedCase resolve(const std::string& model, const Settings& settings, const MatrixPoint& at = point(2)) {
  return resolve_case(settings, at, definition_of(model), kFourCores);
}

std::string case_refusal(const std::string& model, const Settings& settings, const MatrixPoint& at = point(2)) {
  return usage_error_of([&] { (void)resolve(model, settings, at); });
}

// Returns a weights file with the mlp's tensors, all zeros, without its last DROPPED bytes.
std::filesystem::path mlp_weights(const Scratch& scratch, std::size_t dropped = 0) {
  const model::Definition definition = definition_of("mlp");
  const schema::NetworkPlan plan = model::build_network_plan(definition, 1, {}, definition.loss, schema::Mode::infer);
  std::map<std::string, base::TensorEntry> tensors;
  std::uint64_t end = 0;
  for (const schema::NetworkNode& node : plan.nodes) {
    for (const schema::NetworkTensor& tensor : node.tensors) {
      std::uint64_t bytes = 4;
      for (const std::int64_t size : tensor.shape) bytes *= static_cast<std::uint64_t>(size);
      tensors[tensor.name] = {"F32", tensor.shape, end, end + bytes};
      end += bytes;
    }
  }
  const auto path = scratch.write("mlp.safetensors", base::make_safetensors_header(tensors));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) + end - dropped);
  return path;
}

TEST(Resolve, TakesDefaultsFromDefinitionAndMachine) {
  const model::Definition definition = definition_of("bert-tiny");
  const schema::PlannedCase planned = resolve("bert-tiny", {});
  EXPECT_EQ(planned.id, "bert-tiny/train/cpu/b2/fp32/eager/synthetic");
  EXPECT_EQ(planned.definition_sha256, definition.sha256);
  EXPECT_EQ(planned.spec.classes, 6);
  EXPECT_EQ(planned.spec.dropout, 0.1);
  EXPECT_EQ(planned.spec.loss, "cross_entropy");
  EXPECT_EQ(planned.spec.optimizer, definition.optimizer);
  EXPECT_EQ(planned.spec.rows, definition.rows);
  EXPECT_EQ(planned.spec.max_length, 128);
  EXPECT_FALSE(planned.spec.pad || planned.spec.trec_labels);
  EXPECT_EQ(planned.spec.seed, 0);
  EXPECT_EQ(planned.spec.threads, 4);
  EXPECT_EQ(planned.repeats, 3);
  EXPECT_EQ(planned.timeout_seconds, 600);
  EXPECT_EQ(planned.cooldown_seconds, 0);
  EXPECT_EQ(planned.measure.warmup.kind, schema::WarmupSpec::Kind::automatic);
  EXPECT_EQ(planned.measure.min_time_seconds, 0.5);
  EXPECT_EQ(planned.measure.max_noise, 0.01);
  EXPECT_EQ(planned.measure.min_samples, 10);
  EXPECT_FALSE(planned.weights_path || planned.dump_first_step_path || planned.spec.epochs);
}

TEST(Resolve, TakesEverySetting) {
  const schema::PlannedCase planned = resolve("bert-tiny", settings_of({{"classes", "3"},
                                                                        {"dropout", "0.5"},
                                                                        {"optimizer", "sgd:lr=0.5"},
                                                                        {"rows", "100"},
                                                                        {"seed", "9"},
                                                                        {"channels-last", "true"},
                                                                        {"max-length", "64"},
                                                                        {"input", "host"},
                                                                        {"loss", "mse"},
                                                                        {"epochs", "2"},
                                                                        {"max-batches", "5"},
                                                                        {"warmup", "3"},
                                                                        {"min-time", "1s"},
                                                                        {"max-noise", "5%"},
                                                                        {"min-samples", "3"},
                                                                        {"timeout", "1m"},
                                                                        {"cooldown", "250ms"}}));
  EXPECT_EQ(planned.spec.classes, 3);
  EXPECT_EQ(planned.spec.dropout, 0.5);
  EXPECT_EQ(planned.spec.optimizer.settings.at("lr"), 0.5);
  EXPECT_EQ(planned.spec.rows, 100);
  EXPECT_EQ(planned.spec.seed, 9);
  EXPECT_TRUE(planned.spec.channels_last);
  EXPECT_EQ(planned.spec.max_length, 64);
  EXPECT_EQ(planned.spec.input, schema::Input::host);
  EXPECT_EQ(planned.spec.loss, "mse");
  EXPECT_EQ(planned.spec.epochs, 2);
  EXPECT_EQ(planned.spec.max_batches, 5);
  EXPECT_EQ(planned.measure.warmup.amount, 3);
  EXPECT_EQ(planned.measure.min_time_seconds, 1);
  EXPECT_EQ(planned.measure.max_noise, 0.05);
  EXPECT_EQ(planned.measure.min_samples, 3);
  EXPECT_EQ(planned.timeout_seconds, 60);
  EXPECT_EQ(planned.cooldown_seconds, 0.25);
}

TEST(Resolve, SplitsTheTimeOfACaseOverItsLaunches) {
  EXPECT_DOUBLE_EQ(resolve("mlp", {}).measure.max_time_seconds, 10.0 / 3);
  EXPECT_EQ(resolve("mlp", settings_of({{"max-time", "8s"}, {"repeats", "4"}})).measure.max_time_seconds, 2);
}

TEST(Resolve, RefusesTimesThatContradictEachOther) {
  EXPECT_EQ(case_refusal("mlp", settings_of({{"warmup", "4s"}})),
            "--warmup: must be shorter than the 3.33 s that a launch has (--max-time divided by --repeats); raise "
            "--max-time");
  EXPECT_EQ(resolve("mlp", settings_of({{"warmup", "4s"}, {"max-time", "15s"}})).measure.warmup.amount, 4);
  EXPECT_EQ(resolve("mlp", settings_of({{"warmup", "4000"}})).measure.warmup.amount, 4000) << "steps";
  EXPECT_EQ(resolve("mlp", settings_of({{"warmup", "4s"}, {"iterations", "9"}})).measure.warmup.amount, 4);
  EXPECT_EQ(case_refusal("mlp", settings_of({{"iterations", "9"}, {"max-time", "1s"}})),
            "--iterations: times all N steps, however long they take; leave out --max-time, or --iterations");
}

TEST(Resolve, DumpsInOneLaunch) {
  const schema::PlannedCase planned =
      resolve("mlp", settings_of({{"dump-first-step", "d/../d.safetensors"}, {"repeats", "5"}, {"max-time", "8s"}}));
  EXPECT_EQ(planned.repeats, 1);
  EXPECT_EQ(planned.measure.max_time_seconds, 8);
  EXPECT_EQ(planned.dump_first_step_path, (std::filesystem::current_path() / "d.safetensors").string());
}

TEST(Resolve, RefusesClassesAndDropoutThatANetworkLacks) {
  const Scratch scratch;
  const auto file = scratch.write("plain.json", R"({"name": "plain",
      "inputs": [{"name": "input", "dtype": "float32", "shape": [8]}],
      "layers": [{"type": "linear", "name": "fc", "out_features": 4}],
      "loss": "cross_entropy", "optimizer": {"name": "sgd"}, "batch_size": 2, "rows": 100})");
  EXPECT_TRUE(contains(case_refusal(file.string(), settings_of({{"classes", "10"}})),
                       "--classes: the model 'plain' has no parameter 'classes'"));
  EXPECT_TRUE(contains(case_refusal("mlp", settings_of({{"dropout", "0.5"}})),
                       "--dropout: the model 'mlp' has no parameter 'dropout'"));
}

TEST(Resolve, TakesNoDropoutForANetworkWithoutIt) {
  const schema::PlannedCase planned = resolve("mlp", settings_of({{"dropout", "0"}}));
  EXPECT_EQ(planned.spec.dropout, std::nullopt);
  EXPECT_EQ(planned.id, "mlp/train/cpu/b2/fp32/eager/synthetic");
  EXPECT_EQ(resolve("vgg16", settings_of({{"dropout", "0"}})).spec.dropout, 0.0);
}

TEST(Resolve, SetsParametersOfTheDefinition) {
  const schema::PlannedCase planned = resolve("bert-tiny", settings_of({{"set", "layers=4,heads=2"}}));
  EXPECT_EQ(planned.spec.parameters, (std::map<std::string, double>{{"layers", 4}}));
  EXPECT_EQ(planned.id, "bert-tiny/train/cpu/b2/fp32/eager/synthetic+layers=4");
  const auto refusal = [](const char* set) { return case_refusal("bert-tiny", settings_of({{"set", set}})); };
  EXPECT_EQ(refusal("layers=4,layers=5"), "--set: 'layers' is set twice");
  EXPECT_EQ(refusal("dropout=0"), "--set: 'dropout' has an option of its own; use --dropout");
  EXPECT_EQ(refusal("tokens=16"), "--set: 'tokens' has an option of its own; use --max-length");
  EXPECT_EQ(case_refusal("gpt2", settings_of({{"set", "tokens=16"}}), point(2, schema::Mode::generate)),
            "--set: 'tokens' has an option of its own; use --prompt");
  EXPECT_EQ(refusal("seed=1"),
            "--set: 'seed' is also an option, and an id could not tell them apart; rename the "
            "parameter in the definition");
}

TEST(Resolve, RefusesANetworkThatCannotFit) {
  EXPECT_EQ(case_refusal("llama-3.1-8b", settings_of({{"model", "llama-3.1-8b"}}), point(1)),
            "--model: 'llama-3.1-8b': weights, gradients, the optimizer's averages and one batch need 120 GiB, more "
            "than the 8.0 GiB of this machine; use fewer layers (--set) or a smaller model");
}

TEST(Resolve, RefusesABatchThatCannotFit) {
  EXPECT_EQ(case_refusal("mlp", settings_of({{"model", "mlp"}, {"batch-size", "10000000"}}), point(10'000'000)),
            "--batch-size: 'mlp': weights, gradients, the optimizer's averages and one batch need 38.2 GiB, more than "
            "the 8.0 GiB of this machine; lower "
            "--batch-size");
  EXPECT_EQ(resolve_case({}, point(10'000'000), definition_of("mlp"), {4, 0, kFourCores.devices}).spec.batch_size,
            10'000'000)
      << "the machine does not report its memory";
  EXPECT_NE(case_refusal("mlp", {}, point(std::int64_t{1} << 60)), "");
  EXPECT_NE(case_refusal("resnet50", {}, point(9223372036854775807)), "");
}

TEST(Resolve, RefusesEpochsWithoutAWholeBatch) {
  const Settings epochs = settings_of({{"epochs", "1"}, {"rows", "31"}});
  EXPECT_EQ(case_refusal("mlp", epochs, point(32)),
            "--epochs: an epoch of 31 rows has no whole step of 32; lower --batch-size or raise --rows");
  EXPECT_EQ(resolve("mlp", epochs, point(31)).spec.epochs, 1);
  EXPECT_EQ(resolve("mlp", epochs, point(32, schema::Mode::infer)).spec.epochs, 1)
      << "inference accepts an incomplete batch";
  EXPECT_EQ(resolve("mlp", settings_of({{"rows", "31"}}), point(32)).spec.rows, 31);
}

TEST(Resolve, RefusesAnEmptyBatch) {
  EXPECT_TRUE(contains(case_refusal("mlp", {}, point(0)), "the batch size must be at least 1"));
}

TEST(Resolve, ChecksWeightsBeforeAnythingRuns) {
  const Scratch scratch;
  const std::string file = mlp_weights(scratch).string();
  const schema::PlannedCase planned = resolve("mlp", settings_of({{"weights", file}}));
  EXPECT_EQ(planned.weights_path, file);
  EXPECT_EQ(planned.spec.weights, "mlp.safetensors");
  EXPECT_EQ(planned.id, "mlp/train/cpu/b2/fp32/eager/synthetic+weights=mlp.safetensors");
  EXPECT_TRUE(contains(case_refusal("lenet5", settings_of({{"weights", file}})),
                       file + ": these are not the weights of 'lenet5'; missing: "));
  EXPECT_TRUE(contains(case_refusal("mlp", settings_of({{"weights", file}, {"classes", "3"}})),
                       "wrong shape: fc3.weight is [10, 256] instead of [3, 256]"));
  EXPECT_TRUE(contains(case_refusal("mlp", settings_of({{"weights", (scratch / "none").string()}})), "no such file"));
  const std::string cut = mlp_weights(scratch, 1).string();
  EXPECT_TRUE(contains(case_refusal("mlp", settings_of({{"weights", cut}})), "is the file truncated?"));
}

TEST(Resolve, OnlyCompiledCasesHaveACompileMode) {
  EXPECT_EQ(resolve("mlp", settings_of({{"compile-mode", "max-autotune"}})).spec.compile_mode, std::nullopt);
}

TEST(PointId, IsKnownForACaseThatCannotBePlanned) {
  EXPECT_EQ(point_id({}, point(10'000'000), definition_of("mlp"), kFourCores),
            "mlp/train/cpu/b10000000/fp32/eager/synthetic");
}

TEST(Resolve, AKeptLastBatchNeedsEpochsAndStepsOfAnyShape) {
  const Scratch folder;
  tests::write_mnist(folder, 100, 30);
  const auto keeping = [&](std::vector<std::pair<std::string, std::string>> more) {
    more.insert(more.end(), {{"dataset", "mnist"}, {"data-dir", folder.root().string()}, {"last-batch", "keep"}});
    return settings_of(more);
  };
  const schema::PlannedCase kept = resolve("lenet5", keeping({{"epochs", "1"}}), point(32));
  EXPECT_EQ(kept.spec.last_batch, schema::LastBatch::keep);
  EXPECT_TRUE(contains(kept.id, "+epochs=1+last-batch=keep")) << kept.id;
  EXPECT_EQ(case_refusal("lenet5", keeping({}), point(32)), "--last-batch: keep needs whole epochs; add --epochs N");
  MatrixPoint graph = point(32);
  graph.engine = schema::Engine::graph;
  EXPECT_EQ(case_refusal("lenet5", keeping({{"epochs", "1"}}), graph),
            "--last-batch: keep makes the last batch smaller, but --engine graph runs steps of one shape; use drop or "
            "--engine eager");
}

TEST(Resolve, ALoopIsCountedInOneWay) {
  EXPECT_EQ(resolve("mlp", settings_of({{"iterations", "100"}})).spec.iterations, 100);
  EXPECT_TRUE(contains(case_refusal("mlp", settings_of({{"iterations", "100"}, {"epochs", "1"}})),
                       "--iterations: already sets the number of steps; leave out --epochs"));
  EXPECT_TRUE(contains(case_refusal("mlp", settings_of({{"iterations", "100"}, {"max-batches", "1"}})),
                       "leave out --max-batches"));
}

TEST(Resolve, AsPublishedWantsAScriptsLoop) {
  EXPECT_TRUE(resolve("mlp", settings_of({{"as-published", "true"}, {"epochs", "1"}})).spec.as_published);
  EXPECT_TRUE(contains(case_refusal("mlp", settings_of({{"as-published", "true"}})), "add --epochs N"));
  EXPECT_TRUE(
      contains(case_refusal("mlp", settings_of({{"as-published", "true"}, {"iterations", "5"}, {"warmup", "3"}})),
               "leave out --warmup"));
  MatrixPoint graph = point(2);
  graph.engine = schema::Engine::graph;
  EXPECT_TRUE(contains(case_refusal("mlp", settings_of({{"as-published", "true"}, {"iterations", "5"}}), graph),
                       "--engine eager"));
}

TEST(Resolve, FreezingIsForTraining) {
  const Settings settings = settings_of({{"freeze-backbone", "true"}});
  EXPECT_EQ(resolve("mlp", settings).id, "mlp/train/cpu/b2/fp32/eager/synthetic+freeze-backbone=true");
  EXPECT_EQ(resolve("mlp", settings, point(2, schema::Mode::infer)).id, "mlp/infer/cpu/b2/fp32/eager/synthetic");
}

TEST(Resolve, GradientsThatAddUpAreNotScaled) {
  MatrixPoint half = point(2);
  half.precision = schema::Precision::fp16;
  EXPECT_TRUE(contains(case_refusal("mlp", settings_of({{"optimizer", "none"}}), half), "--precision bf16"));
}

}  // namespace
}  // namespace mpsbench::suite
