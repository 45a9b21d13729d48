#include "schema/case_spec.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::expect_exact_keys;
using tests::expect_round_trip;
using tests::full_spec;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;
using tests::without;

TEST(CaseSpec, GoesThroughJson) {
  const CaseSpec spec = expect_round_trip(full_spec(), read_case_spec);
  EXPECT_EQ(spec.mode, Mode::train);
  EXPECT_EQ(spec.seed, 9223372036854775807);
  EXPECT_EQ(spec.optimizer, full_spec().optimizer);
  EXPECT_EQ(spec.dropout, 0.25);
}

TEST(CaseSpec, WritesNullForWhatItHasNot) {
  CaseSpec spec = full_spec();
  spec.mode = Mode::infer;
  spec.classes.reset();
  spec.dropout.reset();
  spec.weights.reset();
  spec.epochs.reset();
  spec.iterations.reset();
  spec.max_batches.reset();
  const json document = reparsed(to_json(spec));
  for (const char* key : {"classes", "dropout", "weights", "epochs", "iterations", "max_batches"}) {
    EXPECT_TRUE(document.at(key).is_null()) << key;
  }
  const CaseSpec back = expect_round_trip(spec, read_case_spec);
  EXPECT_EQ(back.mode, Mode::infer);
  EXPECT_FALSE(back.classes || back.dropout || back.weights || back.epochs || back.iterations ||
               back.max_batches);
}

TEST(CaseSpec, HasAModeWithoutANetwork) {
  CaseSpec spec = full_spec();
  spec.mode = Mode::data;
  EXPECT_EQ(reparsed(to_json(spec)).at("mode"), "data");
  EXPECT_EQ(expect_round_trip(spec, read_case_spec).mode, Mode::data);
}

TEST(CaseSpec, HasExactlyItsKeys) {
  expect_exact_keys(
      reparsed(to_json(full_spec())), read_case_spec,
      {"/input",      "/classes", "/dropout",      "/freeze_backbone", "/as_published", "/compile_mode",
       "/ranks",      "/scaling", "/bucket_bytes", "/interop_threads", "/affinity",     "/workers",
       "/max_length", "/pad",     "/tokenize",     "/trec_labels",     "/last_batch",   "/shuffle",
       "/weights",    "/epochs",  "/iterations",   "/max_batches"},
      {"/optimizer", "/data_files"});
}

TEST(CaseSpec, RefusesValuesOutOfRange) {
  const json good = reparsed(to_json(full_spec()));
  EXPECT_EQ(refusal(with(good, "/mode", "test"), read_case_spec),
            "f.json: $.mode: unknown mode \"test\"; known: train, infer, data");
  const std::vector<std::pair<const char*, json>> bad{{"/batch_size", 0},
                                                      {"/batch_size", 1.5},
                                                      {"/batch_size", true},
                                                      {"/rows", 0},
                                                      {"/seed", -1},
                                                      {"/seed", 9223372036854775808U},
                                                      {"/threads", 0},
                                                      {"/interop_threads", 0},
                                                      {"/ranks", 0},
                                                      {"/bucket_bytes", 0},
                                                      {"/affinity", "3-1"},
                                                      {"/affinity", 1},
                                                      {"/classes", 0},
                                                      {"/max_length", 0},
                                                      {"/data_files", {{"a", 1}}},
                                                      {"/dropout", 1.5},
                                                      {"/dropout", -0.1},
                                                      {"/epochs", 0},
                                                      {"/max_batches", 0},
                                                      {"/iterations", 0},
                                                      {"/as_published", 1},
                                                      {"/model", nullptr},
                                                      {"/channels_last", 1},
                                                      {"/weights", 1},
                                                      {"/optimizer", "sgd"},
                                                      {"/optimizer/lr", "fast"}};
  for (const auto& [pointer, value] : bad) {
    EXPECT_TRUE(contains(refusal(with(good, pointer, value), read_case_spec), ": expected "))
        << pointer << value;
  }
  EXPECT_TRUE(
      contains(refusal(without(good, "/optimizer/name"), read_case_spec), "$.optimizer: the key 'name'"));
}

TEST(CaseSpec, RefusesUnknownNamesWithThePlaceAndTheKnownOnes) {
  const json good = reparsed(to_json(full_spec()));
  const std::vector<std::pair<const char*, const char*>> known{
      {"precision", "fp32, tf32, bf16, fp16"},
      {"engine", "eager, graph, compiled, compiled-graph"},
      {"compile_mode", "default, max-autotune"},
      {"scaling", "weak, strong"},
      {"dataset", "synthetic, cifar10, mnist, trec"},
      {"input", "device, host"},
      {"pad", "max, longest"},
      {"tokenize", "once, batch"},
      {"trec_labels", "1.1.0, 2.0.0"},
      {"last_batch", "drop, keep"},
      {"shuffle", "on, off"},
      {"device", "cpu, mps, cuda, cuda:N"}};
  for (const auto& [key, names] : known) {
    const std::string message = refusal(with(good, "/" + std::string(key), "zzzzzzzz"), read_case_spec);
    EXPECT_TRUE(message.starts_with("f.json: $." + std::string(key) + ": unknown ")) << message;
    EXPECT_TRUE(message.ends_with(" \"zzzzzzzz\"; known: " + std::string(names))) << message;
  }
}

TEST(OptimizerSpec, KeepsSettingsOfAnyName) {
  const OptimizerSpec adam{"adamw", {{"beta1", 0.9}, {"amsgrad", 0}}};
  EXPECT_EQ(expect_round_trip(adam, read_optimizer_spec), adam);
}

}  // namespace
}  // namespace mpsbench::schema
