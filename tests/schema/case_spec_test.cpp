#include "schema/case_spec.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

#include <gtest/gtest.h>

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
  const CaseSpec spec = expect_round_trip(full_spec(), from_json<CaseSpec>);
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
  const CaseSpec back = expect_round_trip(spec, from_json<CaseSpec>);
  EXPECT_EQ(back.mode, Mode::infer);
  EXPECT_FALSE(back.classes || back.dropout || back.weights || back.epochs || back.iterations || back.max_batches);
}

TEST(CaseSpec, HasAModeWithoutANetwork) {
  CaseSpec spec = full_spec();
  spec.mode = Mode::data;
  EXPECT_EQ(reparsed(to_json(spec)).at("mode"), "data");
  EXPECT_EQ(expect_round_trip(spec, from_json<CaseSpec>).mode, Mode::data);
}

TEST(CaseSpec, HasExactlyItsKeys) {
  expect_exact_keys(reparsed(to_json(full_spec())), from_json<CaseSpec>, {}, {"/optimizer", "/data_files"});
}

TEST(CaseSpec, RefusesValuesOutOfRange) {
  const json good = reparsed(to_json(full_spec()));
  EXPECT_EQ(refusal(with(good, "/mode", "test"), from_json<CaseSpec>),
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
    EXPECT_TRUE(contains(refusal(with(good, pointer, value), from_json<CaseSpec>), ": expected ")) << pointer << value;
  }
  EXPECT_TRUE(contains(refusal(without(good, "/optimizer/name"), from_json<CaseSpec>), "$.optimizer: the key 'name'"));
}

TEST(CaseSpec, RefusesUnknownNamesWithThePlaceAndTheKnownOnes) {
  const json good = reparsed(to_json(full_spec()));
  const std::vector<std::pair<const char*, const char*>> known{{"precision", "fp32, tf32, bf16, fp16"},
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
    const std::string message = refusal(with(good, "/" + std::string(key), "zzzzzzzz"), from_json<CaseSpec>);
    EXPECT_TRUE(message.starts_with("f.json: $." + std::string(key) + ": unknown ")) << message;
    EXPECT_TRUE(message.ends_with(" \"zzzzzzzz\"; known: " + std::string(names))) << message;
  }
}

TEST(OptimizerSpec, KeepsSettingsOfAnyName) {
  const OptimizerSpec adam{"adamw", {{"beta1", 0.9}, {"amsgrad", 0}}};
  EXPECT_EQ(expect_round_trip(adam, from_json<OptimizerSpec>), adam);
}

TEST(CaseId, NamesTheWorkInAFixedOrder) {
  EXPECT_EQ(plain_case_id(tests::full_spec(), "max"), "vgg16/train/cpu/bmax/bf16/eager/synthetic");
}

TEST(CaseId, IsTakenApartAndPutTogether) {
  const std::string text = "mlp/train/cuda:1/b64/fp32/eager/synthetic+epochs=1+threads=2+weights=a/b.st";
  const CaseId id(text);
  EXPECT_EQ(id.text(), text);
  EXPECT_EQ(id.parts.size(), CaseId::dataset + 1);
  EXPECT_EQ(id.parts[CaseId::batch], "b64");
  EXPECT_TRUE(id.has_option("epochs"));
  EXPECT_FALSE(id.has_option("epoch"));
  EXPECT_EQ(id.without_part(CaseId::device).without_own_options().without_option("weights").text(),
            "mlp/train/b64/fp32/eager/synthetic+epochs=1");
  EXPECT_EQ(CaseId("").text(), "");
  EXPECT_EQ(IdOption("channels-last").value, "true");
}

}  // namespace

}  // namespace mpsbench::schema
