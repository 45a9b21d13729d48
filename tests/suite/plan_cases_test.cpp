#include "suite/plan_cases.hpp"

#include "suite/support.hpp"
#include "support/scratch.hpp"

#include <algorithm>

namespace mpsbench::suite {
namespace {

using tests::contains;
using tests::project_catalog;
using tests::settings_of;
using tests::usage_error_of;

using Texts = std::vector<std::pair<std::string, std::string>>;
using Ids = std::vector<std::string>;

const Host kTwoCores{2, std::int64_t{8} << 30, tests::devices_here({"cpu"})};

PlannedCases plan(const std::vector<Texts>& matrices, const Host& host = kTwoCores) {
  std::vector<Settings> settings;
  for (const Texts& texts : matrices) settings.push_back(settings_of(texts));
  return plan_cases(settings, project_catalog(), host);
}

// Returns the cases' ids without their common end "/eager/synthetic".
Ids ids(const std::vector<Texts>& matrices) {
  Ids found;
  for (const schema::PlannedCase& planned : plan(matrices).cases) {
    std::string id = planned.id;
    const std::size_t end = id.find("/eager/synthetic");
    found.push_back(id.erase(end, std::string("/eager/synthetic").size()));
  }
  return found;
}

std::string plan_refusal(const std::vector<Texts>& matrices) {
  return usage_error_of([&] { (void)plan(matrices); });
}

TEST(PlanCases, SpansAMatrixInTheOrderWritten) {
  EXPECT_EQ(
      ids({{{"model", "mlp,lenet5"}, {"mode", "infer,train"}, {"batch-size", "8,1"}, {"precision", "bf16,fp32"}}}),
      (Ids{"mlp/infer/cpu/b8/bf16", "mlp/infer/cpu/b1/bf16", "mlp/infer/cpu/b8/fp32", "mlp/infer/cpu/b1/fp32",
           "mlp/train/cpu/b8/bf16", "mlp/train/cpu/b1/bf16", "mlp/train/cpu/b8/fp32", "mlp/train/cpu/b1/fp32",
           "lenet5/infer/cpu/b8/bf16", "lenet5/infer/cpu/b1/bf16", "lenet5/infer/cpu/b8/fp32",
           "lenet5/infer/cpu/b1/fp32", "lenet5/train/cpu/b8/bf16", "lenet5/train/cpu/b1/bf16",
           "lenet5/train/cpu/b8/fp32", "lenet5/train/cpu/b1/fp32"}));
}

TEST(PlanCases, TakesDefaultsOfTheDefinition) {
  EXPECT_EQ(ids({{{"model", "mlp"}}}), (Ids{"mlp/train/cpu/b64/fp32", "mlp/infer/cpu/b64/fp32"}));
}

TEST(PlanCases, SpansRanges) {
  EXPECT_EQ(ids({{{"model", "mlp"}, {"mode", "infer"}, {"batch-size", "1-4*2,10-20+5"}}}),
            (Ids{"mlp/infer/cpu/b1/fp32", "mlp/infer/cpu/b2/fp32", "mlp/infer/cpu/b4/fp32", "mlp/infer/cpu/b10/fp32",
                 "mlp/infer/cpu/b15/fp32", "mlp/infer/cpu/b20/fp32"}));
}

TEST(PlanCases, SpansTheLengthsOfSequences) {
  const std::pair<std::string, std::string> generate{"mode", "generate"};
  EXPECT_EQ(ids({{{"model", "gpt2"}, generate, {"prompt", "64,512"}, {"depth", "0,32"}}}),
            (Ids{"gpt2/generate/cpu/b1/fp32+prompt=64", "gpt2/generate/cpu/b1/fp32",
                 "gpt2/generate/cpu/b1/fp32+depth=32+prompt=64", "gpt2/generate/cpu/b1/fp32+depth=32"}));
  const schema::PlannedCase planned =
      plan({{{"model", "gpt2"}, generate, {"generate", "16"}, {"repeats", "1"}}}).cases.at(0);
  EXPECT_EQ(planned.id, "gpt2/generate/cpu/b1/fp32/eager/synthetic+generate=16");
  EXPECT_EQ(planned.spec.prompt, 512);
  EXPECT_EQ(planned.spec.depth, 0);
  EXPECT_EQ(planned.spec.max_length, std::nullopt);
  EXPECT_EQ(planned.measure.min_samples, schema::kLeastSequences);
  const schema::PlannedCase other = plan({{{"model", "gpt2"}, {"mode", "infer"}}}).cases.at(0);
  EXPECT_EQ(other.spec.prompt, std::nullopt);
  EXPECT_EQ(other.spec.max_length, 1024);
}

TEST(PlanCases, RefusesOptionsThatNoModeHeeds) {
  const auto refusal = [](const std::string& modes, const std::string& option, const std::string& value) {
    return plan_refusal({{{"model", "gpt2"}, {"mode", modes}, {option, value}}});
  };
  for (const auto& [option, value] : Texts{{"epochs", "1"},
                                           {"iterations", "9"},
                                           {"rows", "9"},
                                           {"max-length", "64"},
                                           {"optimizer", "sgd"},
                                           {"loss", "mse"},
                                           {"dropout", "0"},
                                           {"input", "host"},
                                           {"max-batches", "9"}}) {
    EXPECT_EQ(refusal("generate", option, value),
              "--" + option + ": has no effect with --mode generate, which continues synthetic prompts; leave it out");
  }
  for (const char* option : {"prompt", "generate", "depth"})
    EXPECT_EQ(refusal("infer", option, "7"), "--" + std::string(option) + ": has an effect only with --mode generate");
  EXPECT_EQ(ids({{{"model", "gpt2"}, {"mode", "infer,generate"}, {"max-length", "64"}, {"prompt", "32"}}}),
            (Ids{"gpt2/infer/cpu/b1/fp32+max-length=64", "gpt2/generate/cpu/b1/fp32+prompt=32"}));
}

TEST(PlanCases, DoesNotTrainWeightsThatAreStoredIn16Bits) {
  EXPECT_EQ(ids({{{"model", "mlp"}, {"precision", "pure-bf16"}}}), (Ids{"mlp/infer/cpu/b64/pure-bf16"}));
  EXPECT_EQ(ids({{{"model", "mlp"}, {"precision", "bf16,pure-bf16"}}}),
            (Ids{"mlp/train/cpu/b64/bf16", "mlp/infer/cpu/b64/bf16", "mlp/infer/cpu/b64/pure-bf16"}));
  EXPECT_EQ(plan_refusal({{{"model", "mlp"}, {"mode", "train"}, {"precision", "pure-fp16"}}}),
            "--precision: pure-fp16 cannot train; use --mode infer or generate, or --precision fp16");
}

TEST(PlanCases, SpansThreads) {
  EXPECT_EQ(ids({{{"model", "mlp"}, {"mode", "infer"}, {"batch-size", "8,1"}, {"threads", "1-4*2,3"}}}),
            (Ids{"mlp/infer/cpu/b8/fp32+threads=1", "mlp/infer/cpu/b8/fp32", "mlp/infer/cpu/b8/fp32+threads=4",
                 "mlp/infer/cpu/b8/fp32+threads=3", "mlp/infer/cpu/b1/fp32+threads=1", "mlp/infer/cpu/b1/fp32",
                 "mlp/infer/cpu/b1/fp32+threads=4", "mlp/infer/cpu/b1/fp32+threads=3"}));
  const PlannedCases made = plan(
      {{{"model", "mlp"}, {"mode", "infer"}, {"batch-size", "max"}, {"threads", "1,2"}, {"interop-threads", "3,4"}}});
  ASSERT_EQ(made.open.size(), 4U);
  const schema::PlannedCase last = made.open.back().at_batch(7, kTwoCores);
  EXPECT_EQ(last.id, "mlp/infer/cpu/b7/fp32/eager/synthetic+interop-threads=4");
  EXPECT_EQ(last.spec.threads, 2);
  EXPECT_EQ(last.spec.interop_threads, 4);
}

TEST(PlanCases, HasTheRanksThatALauncherStarted) {
  Host host = kTwoCores;
  host.launched = LaunchedRanks{"mpirun", 4, 2};
  const Texts texts{{"model", "mlp"}, {"mode", "train"}, {"batch-size", "8"}};
  const schema::PlannedCase all = plan({texts}, host).cases.at(0);
  EXPECT_EQ(all.spec.ranks, 4);
  EXPECT_EQ(all.spec.threads, 1);  // of the two cores that two ranks share on each machine
  Texts some = texts;
  some.emplace_back("ranks", "1,2,4");
  EXPECT_EQ(plan({some}, host).cases.size(), 3U);
  some.back().second = "8";
  EXPECT_EQ(usage_error_of([&] { (void)plan({some}, host); }),
            "--ranks: 8 are more than the 4 processes that mpirun has started; start more, or give fewer");
}

TEST(PlanCases, RefusesANumberOfThreadsThatStandsTwice) {
  EXPECT_EQ(plan_refusal({{{"model", "mlp"}, {"threads", "1-4*2,2"}}}), "--threads: '2' appears twice; remove one");
  EXPECT_EQ(plan_refusal({{{"model", "mlp"}, {"interop-threads", "3,3"}}}),
            "--interop-threads: '3' appears twice; remove one");
}

TEST(PlanCases, HasOneThreadPerCoreOfTheAffinity) {
  Host host = kTwoCores;
  host.cpus = Cpus{{0, 1, 2, 3}, [](const std::vector<int>& cpus) { return std::ssize(cpus) / 2; }};
  const auto planned = [&host](const Texts& texts) {
    return plan_cases({settings_of(texts)}, project_catalog(), host).cases.front();
  };
  const schema::PlannedCase one = planned({{"model", "mlp"}, {"mode", "infer"}, {"affinity", "3,2"}});
  EXPECT_EQ(one.spec.threads, 1);
  EXPECT_EQ(one.spec.affinity, "2-3");
  EXPECT_EQ(one.id, "mlp/infer/cpu/b64/fp32/eager/synthetic+affinity=2-3");
  EXPECT_EQ(planned({{"model", "mlp"}, {"mode", "infer"}, {"affinity", "2-3"}, {"threads", "2"}}).id,
            one.id + "+threads=2");
  EXPECT_EQ(usage_error_of([&] { (void)planned({{"model", "mlp"}, {"affinity", "3-4"}}); }),
            "--affinity: CPU 4 cannot be used here; choose from 0-3");
}

TEST(PlanCases, JoinsMatricesInTheirOrder) {
  EXPECT_EQ(ids({{{"model", "mlp"}, {"mode", "train"}},
                 {{"model", "lenet5"}, {"mode", "infer"}, {"batch-size", "1"}},
                 {{"model", "mlp"}, {"mode", "infer"}}}),
            (Ids{"mlp/train/cpu/b64/fp32", "lenet5/infer/cpu/b1/fp32", "mlp/infer/cpu/b64/fp32"}));
}

TEST(PlanCases, TakesAModelOrBatchSizeThatAppearsTwiceOnce) {
  EXPECT_EQ(ids({{{"model", "mlp,lenet5,mlp"}, {"mode", "train"}, {"batch-size", "1-8*2,8,4,16"}}}),
            ids({{{"model", "mlp,lenet5"}, {"mode", "train"}, {"batch-size", "1,2,4,8,16"}}}));
}

TEST(PlanCases, RefusesAModeThatAppearsTwice) {
  EXPECT_EQ(plan_refusal({{{"model", "mlp"}, {"mode", "train,train"}}}), "--mode: 'train' appears twice; remove one");
}

TEST(PlanCases, TakesAllModelsThatThereAre) {
  const tests::Scratch scratch;
  nlohmann::json definition = tests::definition_of("mlp").document;
  for (const char* name : {"b", "a"}) {
    definition["name"] = name;
    scratch.write("models/" + std::string(name) + ".json", definition.dump());
  }
  const Settings every = settings_of({{"model", "b,all"}, {"mode", "infer"}});
  const PlannedCases made = plan_cases({every}, Catalog(scratch.root()), kTwoCores);
  ASSERT_EQ(made.cases.size(), 2U);
  EXPECT_EQ(made.cases[0].spec.model, "b");
  EXPECT_EQ(made.cases[1].spec.model, "a");
}

TEST(PlanCases, LeavesTheLargestBatchOpen) {
  const PlannedCases made = plan({{{"model", "mlp"}, {"mode", "train,infer"}, {"batch-size", "max"}}});
  EXPECT_TRUE(made.cases.empty());
  ASSERT_EQ(made.open.size(), 2U);
  EXPECT_EQ(made.open[0].id, "mlp/train/cpu/bmax/fp32/eager/synthetic");
  EXPECT_EQ(made.open[1].at_batch(7, kTwoCores).id, "mlp/infer/cpu/b7/fp32/eager/synthetic");
  EXPECT_EQ(made.definitions.size(), 1U);
}

TEST(PlanCases, TakesTheBatchSizesOfEachDevice) {
  const Texts texts{{"model", "mlp"}, {"mode", "infer"}, {"device", "cpu,mps,cuda:1"}};
  const auto with = [&texts](const char* sizes) {
    Texts all = texts;
    all.emplace_back("batch-size", sizes);
    return all;
  };
  const auto id = [](const std::string& place) { return "mlp/infer/" + place + "/fp32"; };
  EXPECT_EQ(ids({with("cpu=1-4*2,mps=7,cuda=8")}),
            (std::vector<std::string>{id("cpu/b1"), id("cpu/b2"), id("cpu/b4"), id("mps/b7"), id("cuda:1/b8")}));
  EXPECT_EQ(ids({with("cuda:1=9,cuda=8,cpu=1,mps=2")}),
            (std::vector<std::string>{id("cpu/b1"), id("mps/b2"), id("cuda:1/b9")}));
  EXPECT_TRUE(contains(plan_refusal({with("cpu=1,cuda=2")}), "has no sizes for mps; add mps=N"));
  const Texts found{{"model", "mlp"}, {"mode", "infer"}, {"device", "cpu"}, {"batch-size", "mps=3,cpu=best"}};
  const PlannedCases made = plan({found});
  ASSERT_EQ(made.open.size(), 1U);
  EXPECT_EQ(made.open[0].searched, SearchedBatch::best);
}

TEST(PlanCases, LeavesTheBestBatchOpen) {
  const PlannedCases made = plan({{{"model", "mlp"}, {"mode", "infer"}, {"batch-size", "best"}}});
  ASSERT_EQ(made.open.size(), 1U);
  EXPECT_EQ(made.open[0].id, "mlp/infer/cpu/bbest/fp32/eager/synthetic");
  EXPECT_EQ(made.open[0].searched, SearchedBatch::best);
}

TEST(PlanCases, LooksForNoBatchOnADeviceThatIsNotHere) {
  const PlannedCases made =
      plan({{{"model", "mlp"}, {"mode", "infer"}, {"device", "cpu,cuda"}, {"batch-size", "max"}}});
  ASSERT_EQ(made.cases.size(), 1U);
  EXPECT_EQ(made.cases[0].id, "mlp/infer/cuda/b64/fp32/eager/synthetic");
  EXPECT_EQ(made.open.size(), 1U);
}

TEST(PlanCases, DumpsTheFirstStepOfAKnownBatchOnly) {
  EXPECT_TRUE(contains(
      plan_refusal(
          {{{"model", "mlp"}, {"mode", "infer"}, {"batch-size", "max"}, {"dump-first-step", "x.safetensors"}}}),
      "needs a known batch size"));
}

TEST(PlanCases, KeepsDevicesThatAreNotHere) {
  EXPECT_EQ(ids({{{"model", "mlp"}, {"mode", "infer"}, {"device", "cuda:1,auto,cpu"}}}),
            (Ids{"mlp/infer/cuda:1/b64/fp32", "mlp/infer/cpu/b64/fp32"}));
}

TEST(PlanCases, KeepsEveryDefinitionByItsFingerprint) {
  const PlannedCases made = plan({{{"model", "mlp,lenet5"}}});
  EXPECT_EQ(made.definitions.size(), 2U);
  for (const schema::PlannedCase& planned : made.cases) {
    ASSERT_TRUE(made.definitions.contains(planned.definition_sha256));
    EXPECT_EQ(made.definitions.at(planned.definition_sha256).at("name"), planned.spec.model);
  }
}

TEST(PlanCases, TellsTwoModelsOfOneNameFromACaseThatStandsTwice) {
  const tests::Scratch scratch;
  nlohmann::json definition = tests::definition_of("mlp").document;
  definition["rows"] = 7;
  const std::string file = scratch.write("mine.json", definition.dump()).string();
  EXPECT_EQ(plan_refusal({{{"model", "mlp," + file}, {"mode", "infer"}, {"rows", "10"}}}),
            file + ": another model of the plan is also named 'mlp'; change one of them with the key 'name'");
}

TEST(PlanCases, RefusesACaseThatStandsTwice) {
  const std::string expected =
      "the case mlp/train/cpu/b64/fp32/eager/synthetic appears twice in the plan; remove one (to run only some cases "
      "of a suite, use --filter, for example --filter '^mlp/': --model would replace the model of every matrix)";
  EXPECT_EQ(plan_refusal({{{"model", "mlp"}}, {{"model", "mlp"}, {"mode", "train"}}}), expected);
  EXPECT_EQ(plan_refusal({{{"model", "mlp"}, {"threads", "2"}}, {{"model", "mlp"}}}), expected)
      << "this machine uses 2 threads by default";
  EXPECT_EQ(
      ids({{{"model", "mlp"}, {"mode", "train"}}, {{"model", "mlp"}, {"mode", "train"}, {"threads", "1"}}}).size(), 2U);
}

TEST(PlanCases, LeavesOutWhatTheFilterDoesNotMatch) {
  EXPECT_EQ(ids({{{"model", "mlp,lenet5"}, {"batch-size", "1,8,16"}, {"filter", "^mlp/.*/b(1|8)/"}}}),
            (Ids{"mlp/train/cpu/b1/fp32", "mlp/train/cpu/b8/fp32", "mlp/infer/cpu/b1/fp32", "mlp/infer/cpu/b8/fp32"}));
  EXPECT_EQ(plan_refusal({{{"model", "mlp"}, {"filter", "vgg"}}}),
            "--filter: no case of the plan matches; to see all cases, use --dry-run without --filter");
}

TEST(PlanCases, AsksNothingOfACaseThatIsFilteredOut) {
  EXPECT_EQ(ids({{{"model", "mlp"}, {"mode", "infer"}, {"batch-size", "1,1000000000"}, {"filter", "/b1/"}}}),
            (Ids{"mlp/infer/cpu/b1/fp32"}));
  EXPECT_EQ(ids({{{"model", "vgg16,mlp"}, {"mode", "infer"}, {"dropout", "0.5"}, {"filter", "vgg16"}}}).size(), 1U);
}

TEST(PlanCases, DumpsTheFirstStepOfOneCaseOnly) {
  EXPECT_EQ(plan({{{"model", "mlp"}, {"mode", "train"}, {"dump-first-step", "d"}}}).cases.size(), 1U);
  EXPECT_TRUE(contains(plan_refusal({{{"model", "mlp"}, {"dump-first-step", "d"}}}),
                       "--dump-first-step: the plan has 2 cases, but it needs one; name one model, --mode"));
  EXPECT_EQ(plan({{{"model", "mlp"}, {"dump-first-step", "d"}, {"filter", "train"}}}).cases.size(), 1U);
}

TEST(PlanCases, RefusesPlansThatWouldNeverEnd) {
  EXPECT_TRUE(contains(plan_refusal({{{"model", "mlp"}, {"batch-size", "1-10000,10001-20000,1-10000*10000"}}}),
                       "expected sizes"));
  const std::string modes = "train,infer,train,infer,train,infer,train,infer,train,infer,train";
  EXPECT_TRUE(
      contains(plan_refusal({{{"model", "mlp"}, {"batch-size", "1-10000"}, {"mode", modes}, {"filter", "nothing"}}}),
               "--batch-size: the matrix has too many cases"));
  EXPECT_TRUE(
      contains(plan_refusal({{{"model", "mlp"}, {"batch-size", "1-1000"}, {"threads", "1-100"}, {"filter", "no"}}}),
               "the matrix has too many cases"));
  EXPECT_TRUE(
      contains(plan_refusal({{{"model", "mlp"}, {"batch-size", "1-10000"}}}), "the plan has more than 10000 cases"));
}

TEST(PlanCases, NamesAnUnknownModel) {
  EXPECT_TRUE(
      contains(plan_refusal({{{"model", "mlp,resnet51"}}}), "unknown model 'resnet51' (did you mean 'resnet50'?)"));
}

TEST(PlanCases, PlansTheSuiteForAFirstRun) {
  const PlannedCases quick = plan_cases(project_catalog().load_suite("quick").matrices, project_catalog(), kTwoCores);
  EXPECT_EQ(quick.cases.size(), 10U);
  for (const schema::PlannedCase& planned : quick.cases) EXPECT_EQ(planned.repeats, 3);
  EXPECT_EQ(project_catalog().load_suite("quick").settings.time_limit_seconds.optional(), 135);
}

TEST(PlanCases, FindsEveryModelOfTheProjectsSuites) {
  const Ids known = project_catalog().model_names();
  const Ids suites = project_catalog().suite_names();
  EXPECT_FALSE(suites.empty());
  for (const std::string& name : suites) {
    for (const Settings& matrix : project_catalog().load_suite(name).matrices) {
      for (const std::string& model : matrix.models.value_or({})) {
        EXPECT_TRUE(model == "all" || std::binary_search(known.begin(), known.end(), model)) << name << ": " << model;
      }
    }
  }
}

TEST(PlanCases, KeepsFilesOfAllMatricesApart) {
  const tests::Scratch scratch;
  Texts common{{"mode", "infer"}, {"batch-size", "2"}, {"input-shape", "16"}};
  const auto file = [&](const char* name) { return scratch.write(name, "x").string(); };
  const auto with = [&](const std::string& models) {
    Texts texts = common;
    texts.emplace_back("model", models);
    return texts;
  };
  EXPECT_EQ(ids({with(file("\u6a21\u578b.pt") + "," + file("\u7f51\u7edc.pt")), with(file("a/net.pt")),
                 with(file("b/net.pth"))}),
            (Ids{"\u6a21\u578b-16/infer/cpu/b2/fp32", "\u7f51\u7edc-16/infer/cpu/b2/fp32",
                 "net.pt-16/infer/cpu/b2/fp32", "net.pth-16/infer/cpu/b2/fp32"}));
}

}  // namespace
}  // namespace mpsbench::suite
