#include "suite/case_id.hpp"

#include "base/error.hpp"
#include "suite/option_values.hpp"
#include "suite/support.hpp"

#include <gtest/gtest.h>

namespace mpsbench::suite {

namespace {

constexpr std::int64_t kThreads = 4;

// Returns the case of DEFINITION with every option at its default.
schema::CaseSpec default_spec(const model::Definition& definition) {
  schema::CaseSpec spec;
  spec.model = definition.name;
  spec.mode = schema::Mode::train;
  spec.device = "cpu";
  spec.batch_size = 32;
  spec.precision = schema::Precision::fp32;
  spec.engine = schema::Engine::eager;
  spec.dataset = schema::Dataset::synthetic;
  spec.classes = definition.classes;
  spec.max_length = definition.tokens;
  spec.dropout = definition.dropout;
  spec.loss = definition.loss;
  spec.optimizer = definition.optimizer;
  spec.rows = definition.rows;
  spec.threads = kThreads;
  return spec;
}

TEST(CaseId, IsShortAtTheDefaults) {
  const model::Definition definition = tests::definition_of("vgg16");
  schema::CaseSpec spec = default_spec(definition);
  EXPECT_EQ(case_id(spec, definition, kThreads), "vgg16/train/cpu/b32/fp32/eager/synthetic");
  spec.mode = schema::Mode::infer;
  spec.device = "cuda:1";
  spec.batch_size = 1;
  spec.precision = schema::Precision::bf16;
  EXPECT_EQ(case_id(spec, definition, kThreads), "vgg16/infer/cuda:1/b1/bf16/eager/synthetic");
}

TEST(CaseId, NamesEverythingThatIsNotAtItsDefaultSorted) {
  const model::Definition definition = tests::definition_of("vgg16");
  schema::CaseSpec spec = default_spec(definition);
  spec.channels_last = true;
  spec.classes = 10;
  spec.dropout = 0.25;
  spec.epochs = 2;
  spec.loss = "mse";
  spec.max_batches = 50;
  spec.optimizer = parse_optimizer("sgd:lr=0.1");
  spec.rows = 100;
  spec.seed = 7;
  spec.threads = 2;
  spec.weights = "w.safetensors";
  EXPECT_EQ(case_id(spec, definition, kThreads),
            "vgg16/train/cpu/b32/fp32/eager/synthetic+channels-last=true+classes=10+dropout=0.25+epochs=2+loss=mse+"
            "max-batches=50+optimizer=sgd:lr=0.1+rows=100+seed=7+threads=2+weights=w.safetensors");
}

TEST(CaseId, TakesTheDefaultsOfTheDefinition) {
  const model::Definition definition = tests::definition_of("bert-tiny");
  schema::CaseSpec spec = default_spec(definition);
  EXPECT_EQ(case_id(spec, definition, kThreads), "bert-tiny/train/cpu/b32/fp32/eager/synthetic");
  spec.dropout = 0;
  EXPECT_EQ(case_id(spec, definition, kThreads), "bert-tiny/train/cpu/b32/fp32/eager/synthetic+dropout=0.0");
}

TEST(CaseId, TellsThreadsApartFromWhatThisMachineWouldUse) {
  const model::Definition definition = tests::definition_of("mlp");
  const schema::CaseSpec spec = default_spec(definition);
  EXPECT_EQ(case_id(spec, definition, kThreads + 1), "mlp/train/cpu/b32/fp32/eager/synthetic+threads=4");
}

TEST(CaseId, NamesInteropThreadsAndAffinityIfTheyAreGiven) {
  const model::Definition definition = tests::definition_of("mlp");
  schema::CaseSpec spec = default_spec(definition);
  spec.interop_threads = 3;
  spec.affinity = "0-3,8";
  EXPECT_EQ(case_id(spec, definition, kThreads),
            "mlp/train/cpu/b32/fp32/eager/synthetic+affinity=0-3,8+interop-threads=3");
}

TEST(CaseId, NamesRanksIfThereAreSeveral) {
  const model::Definition definition = tests::definition_of("mlp");
  schema::CaseSpec spec = default_spec(definition);
  spec.ranks = 4;
  EXPECT_EQ(case_id(spec, definition, kThreads), "mlp/train/cpu/b32/fp32/eager/synthetic+ranks=4");
  spec.device = "cuda";
  EXPECT_EQ(case_id(spec, definition, kThreads), "mlp/train/cuda/b32/fp32/eager/synthetic+gpus=4");
  spec.bucket_bytes = 1 << 20;
  spec.scaling = schema::Scaling::strong;
  EXPECT_EQ(case_id(spec, definition, kThreads),
            "mlp/train/cuda/b32/fp32/eager/synthetic+bucket-size=1MiB+gpus=4+scaling=strong");
}

TEST(CaseId, NamesACompileModeThatIsNotTheUsualOne) {
  const model::Definition definition = tests::definition_of("mlp");
  schema::CaseSpec spec = default_spec(definition);
  spec.engine = schema::Engine::compiled;
  spec.compile_mode = schema::CompileMode::usual;
  EXPECT_EQ(case_id(spec, definition, kThreads), "mlp/train/cpu/b32/fp32/compiled/synthetic");
  spec.compile_mode = schema::CompileMode::max_autotune;
  EXPECT_EQ(case_id(spec, definition, kThreads), "mlp/train/cpu/b32/fp32/compiled/synthetic+compile-mode=max-autotune");
}

TEST(CaseId, OfADataSetLeavesOutWhatItsFilesSay) {
  const model::Definition definition = tests::definition_of("resnet18");
  schema::CaseSpec spec = default_spec(definition);
  spec.dataset = schema::Dataset::cifar10;
  spec.input = schema::Input::host;
  spec.rows = 0;  // all rows
  spec.classes = 10;
  spec.workers = 2;
  EXPECT_EQ(case_id(spec, definition, kThreads), "resnet18/train/cpu/b32/fp32/eager/cifar10");
  spec.workers = 0;
  spec.classes = 11;
  EXPECT_EQ(case_id(spec, definition, kThreads), "resnet18/train/cpu/b32/fp32/eager/cifar10+classes=11+workers=0");
  spec.last_batch = schema::LastBatch::keep;
  EXPECT_EQ(case_id(spec, definition, kThreads),
            "resnet18/train/cpu/b32/fp32/eager/cifar10+classes=11+last-batch=keep+workers=0");
  spec.shuffle = schema::Shuffle::off;
  EXPECT_EQ(case_id(spec, definition, kThreads),
            "resnet18/train/cpu/b32/fp32/eager/cifar10+classes=11+last-batch=keep+shuffle=off+workers=0");
}

TEST(CaseId, NamesWhatIsChosenOfTexts) {
  const model::Definition definition = tests::definition_of("bert-tiny");
  schema::CaseSpec spec = default_spec(definition);
  spec.max_length = 128;
  spec.dataset = schema::Dataset::trec;
  spec.input = schema::Input::host;
  spec.pad = schema::Pad::max;
  spec.trec_labels = schema::TrecLabels::v1_1_0;
  spec.rows = 0;
  EXPECT_EQ(case_id(spec, definition, kThreads), "bert-tiny/train/cpu/b32/fp32/eager/trec");
  spec.max_length = 512;
  spec.pad = schema::Pad::longest;
  spec.tokenize = schema::Tokenize::batch;
  spec.trec_labels = schema::TrecLabels::v2_0_0;
  spec.rows = 1000;
  EXPECT_EQ(case_id(spec, definition, kThreads),
            "bert-tiny/train/cpu/b32/fp32/eager/trec+max-length=512+pad=longest+rows=1000+tokenize=batch"
            "+trec-labels=2.0.0");
}

TEST(CaseId, NamesTheInputOfSyntheticRows) {
  const model::Definition definition = tests::definition_of("lenet5");
  schema::CaseSpec spec = default_spec(definition);
  spec.input = schema::Input::host;
  EXPECT_TRUE(case_id(spec, definition, kThreads).ends_with("/synthetic+input=host"));
}

const std::string kId = "resnet18/train/cpu/b32/fp32/eager/synthetic+channels-last=true+threads=2";

bool matches(const std::string& pattern) {
  return passes(kId, case_filter(pattern));
}

TEST(CaseFilter, SearchesIds) {
  for (const char* pattern : {"", "^resnet", "train/(cpu|mps)", "b[0-9]+/", "\\bcpu\\b", "true.*2$", "(?:eager)"})
    EXPECT_TRUE(matches(pattern)) << pattern;
  for (const char* pattern : {"^train", "b64", "cuda", "2.$"}) EXPECT_FALSE(matches(pattern)) << pattern;
}

TEST(CaseFilter, RefusesWhatIsNone) {
  for (const char* pattern : {"(", "[a", "*", "a{2,1}"})
    EXPECT_THROW((void)case_filter(pattern), std::regex_error) << pattern;
}

// With backtracking, each of these would take far too long.
TEST(CaseFilter, EndsHoweverManyWaysThereAreToMatch) {
  for (const char* pattern :
       {"(((.*)*)*)*$x", "(a|b|c|.)*(a|b|.)*(.)*(.)*(.)*zzz", "(.*)*(.*)*(.*)*\\n", "(.?){60}.{60}$x"}) {
    try {
      EXPECT_FALSE(matches(pattern)) << pattern;
    } catch (const base::Error& error) {  // some libraries give up
      EXPECT_EQ(error.kind(), base::ErrorKind::usage);
    }
  }
}

}  // namespace

}  // namespace mpsbench::suite
