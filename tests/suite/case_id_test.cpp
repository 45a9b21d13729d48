#include "suite/case_id.hpp"

#include "base/error.hpp"
#include "suite/option_values.hpp"
#include "suite/support.hpp"

#include <gtest/gtest.h>

namespace mpsbench::suite {

namespace {

constexpr std::int64_t kThreads = 4;

// Returns what the id of MODEL's training has after its model, if CHANGE changes a case with every option at its
// default.
template <typename Change>
std::string id_with(const std::string& model, Change change, std::int64_t default_threads = kThreads) {
  const model::Definition definition = tests::definition_of(model);
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
  change(spec);
  const std::string id = case_id(spec, definition, default_threads);
  EXPECT_TRUE(id.starts_with(model + "/")) << id;
  return id.substr(model.size());
}

void change_nothing(schema::CaseSpec& /*spec*/) {}

TEST(CaseId, IsShortAtTheDefaults) {
  EXPECT_EQ(id_with("vgg16", change_nothing), "/train/cpu/b32/fp32/eager/synthetic");
  EXPECT_EQ(id_with("bert-tiny", change_nothing), "/train/cpu/b32/fp32/eager/synthetic");
  EXPECT_EQ(id_with("vgg16",
                    [](schema::CaseSpec& spec) {
                      spec.mode = schema::Mode::infer;
                      spec.device = "cuda:1";
                      spec.batch_size = 1;
                      spec.precision = schema::Precision::bf16;
                    }),
            "/infer/cuda:1/b1/bf16/eager/synthetic");
}

TEST(CaseId, NamesEverythingThatIsNotAtItsDefaultSorted) {
  const auto everything = [](schema::CaseSpec& spec) {
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
  };
  EXPECT_EQ(id_with("vgg16", everything),
            "/train/cpu/b32/fp32/eager/synthetic+channels-last=true+classes=10+dropout=0.25+epochs=2+loss=mse+"
            "max-batches=50+optimizer=sgd:lr=0.1+rows=100+seed=7+threads=2+weights=w.safetensors");
  EXPECT_EQ(id_with("bert-tiny", [](schema::CaseSpec& spec) { spec.dropout = 0; }),
            "/train/cpu/b32/fp32/eager/synthetic+dropout=0.0");
  EXPECT_EQ(id_with("mlp", change_nothing, kThreads + 1), "/train/cpu/b32/fp32/eager/synthetic+threads=4")
      << "this machine would use one more";
  const auto placed = [](schema::CaseSpec& spec) {
    spec.interop_threads = 3;
    spec.affinity = "0-3,8";
  };
  EXPECT_EQ(id_with("mlp", placed), "/train/cpu/b32/fp32/eager/synthetic+affinity=0-3,8+interop-threads=3");
  EXPECT_EQ(id_with("lenet5", [](schema::CaseSpec& spec) { spec.input = schema::Input::host; }),
            "/train/cpu/b32/fp32/eager/synthetic+input=host");
}

TEST(CaseId, NamesRanksIfThereAreSeveral) {
  const auto four_on = [](schema::DeviceId device, bool is_strong = false) {
    return [=](schema::CaseSpec& spec) {
      spec.device = device;
      spec.ranks = 4;
      if (!is_strong) return;
      spec.bucket_bytes = 1 << 20;
      spec.scaling = schema::Scaling::strong;
    };
  };
  EXPECT_EQ(id_with("mlp", four_on("cpu")), "/train/cpu/b32/fp32/eager/synthetic+ranks=4");
  EXPECT_EQ(id_with("mlp", four_on("cuda")), "/train/cuda/b32/fp32/eager/synthetic+gpus=4");
  EXPECT_EQ(id_with("mlp", four_on("cuda", true)),
            "/train/cuda/b32/fp32/eager/synthetic+bucket-size=1MiB+gpus=4+scaling=strong");
}

TEST(CaseId, NamesACompileModeThatIsNotTheUsualOne) {
  const auto compiled = [](schema::CompileMode mode) {
    return [mode](schema::CaseSpec& spec) {
      spec.engine = schema::Engine::compiled;
      spec.compile_mode = mode;
    };
  };
  EXPECT_EQ(id_with("mlp", compiled(schema::CompileMode::usual)), "/train/cpu/b32/fp32/compiled/synthetic");
  EXPECT_EQ(id_with("mlp", compiled(schema::CompileMode::max_autotune)),
            "/train/cpu/b32/fp32/compiled/synthetic+compile-mode=max-autotune");
}

TEST(CaseId, OfADataSetLeavesOutWhatItsFilesSay) {
  const auto of_cifar10 = [](schema::CaseSpec& spec) {
    spec.dataset = schema::Dataset::cifar10;
    spec.input = schema::Input::host;
    spec.rows = 0;  // all rows
    spec.classes = 10;
    spec.workers = 2;
  };
  EXPECT_EQ(id_with("resnet18", of_cifar10), "/train/cpu/b32/fp32/eager/cifar10");
  const auto changed = [&](schema::CaseSpec& spec) {
    of_cifar10(spec);
    spec.workers = 0;
    spec.classes = 11;
    spec.last_batch = schema::LastBatch::keep;
    spec.shuffle = schema::Shuffle::off;
  };
  EXPECT_EQ(id_with("resnet18", changed),
            "/train/cpu/b32/fp32/eager/cifar10+classes=11+last-batch=keep+shuffle=off+workers=0");
}

TEST(CaseId, NamesWhatIsChosenOfTexts) {
  const auto of_trec = [](schema::CaseSpec& spec) {
    spec.max_length = 128;
    spec.dataset = schema::Dataset::trec;
    spec.input = schema::Input::host;
    spec.pad = schema::Pad::max;
    spec.trec_labels = schema::TrecLabels::v1_1_0;
    spec.rows = 0;
  };
  EXPECT_EQ(id_with("bert-tiny", of_trec), "/train/cpu/b32/fp32/eager/trec");
  const auto changed = [&](schema::CaseSpec& spec) {
    of_trec(spec);
    spec.max_length = 512;
    spec.pad = schema::Pad::longest;
    spec.tokenize = schema::Tokenize::batch;
    spec.trec_labels = schema::TrecLabels::v2_0_0;
    spec.rows = 1000;
  };
  EXPECT_EQ(id_with("bert-tiny", changed),
            "/train/cpu/b32/fp32/eager/trec+max-length=512+pad=longest+rows=1000+tokenize=batch+trec-labels=2.0.0");
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
