#include "output/console/case_words.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace mpsbench::output {

namespace {

schema::CaseResult case_in_ranks(const std::string& model, std::int64_t ranks, std::optional<double> efficiency,
                                 const schema::DeviceId& device = "cuda") {
  schema::CaseResult result;
  result.spec = tests::sample_spec(model, schema::Mode::train, 64);
  result.spec.device = device;
  result.spec.ranks = ranks;
  result.definition_sha256 = model;
  result.metrics.rows_per_second.value = 100;
  if (efficiency)
    result.metrics.scaling_efficiency = {efficiency, schema::Interval{*efficiency - 0.02, *efficiency + 0.01}};
  return result;
}

using Sentences = std::vector<std::string>;

Sentences sentences(std::vector<schema::CaseResult> cases) {
  schema::Report report;
  report.cases = std::move(cases);
  return scaling_sentences(report);
}

TEST(ScalingWords, TellTheMostProcessesOfEachNetwork) {
  EXPECT_EQ(
      sentences({case_in_ranks("mlp", 1, {}), case_in_ranks("mlp", 2, 0.966), case_in_ranks("mlp", 4, 0.9),
                 case_in_ranks("vgg16", 2, 1.01, "cpu")}),
      (Sentences{"On 4 GPUs, mlp trains 3.60 times as many rows a second as on 1: efficiency 90.0 % (88.0–91.0 %).",
                 "In 2 processes, vgg16 trains 2.02 times as many rows a second as in 1: efficiency 101 % "
                 "(99.0–102 %)."}));
}

TEST(ScalingWords, CountTokensOfGeneration) {
  schema::CaseResult result = case_in_ranks("gpt2", 2, 0.9);
  result.spec.mode = schema::Mode::generate;
  EXPECT_TRUE(
      sentences({result}).at(0).starts_with("On 2 GPUs, gpt2 generates 1.80 times as many tokens a second as "));
}

TEST(ScalingWords, NameTheWorkIfThereIsMoreThanOneKind) {
  schema::CaseResult large = case_in_ranks("mlp", 2, 0.9);
  large.spec.batch_size = 256;
  schema::CaseResult compiled = case_in_ranks("mlp", 2, 0.8);
  compiled.spec.engine = schema::Engine::compiled;
  compiled.spec.compile_mode = schema::CompileMode::usual;
  const Sentences told = sentences({case_in_ranks("mlp", 2, 0.95), case_in_ranks("mlp", 4, 0.94), large, compiled});
  ASSERT_EQ(told.size(), 3U);
  EXPECT_TRUE(told[0].starts_with("On 4 GPUs, mlp at batch 64 with the engine eager trains 3.76 times")) << told[0];
  EXPECT_TRUE(told[1].starts_with("On 2 GPUs, mlp at batch 256 with the engine eager trains ")) << told[1];
  EXPECT_TRUE(told[2].starts_with("On 2 GPUs, mlp at batch 64 with the engine compiled trains ")) << told[2];
}

TEST(ScalingWords, NameTheBatchInOneProcessAndTheBucketsOfStrongScaling) {
  schema::CaseResult strong = case_in_ranks("mlp", 4, 0.9);
  strong.spec.scaling = schema::Scaling::strong;
  strong.spec.batch_size = 16;
  schema::CaseResult buckets = strong;
  buckets.spec.bucket_bytes = 25'000'000;
  schema::CaseResult large = strong;
  large.spec.batch_size = 64;
  const Sentences told = sentences({strong, buckets, large});
  ASSERT_EQ(told.size(), 3U);
  EXPECT_TRUE(told[0].starts_with("On 4 GPUs, mlp at batch 64 trains ")) << told[0];
  EXPECT_TRUE(told[1].ends_with(", strong scaling, buckets of 23.8 MiB.")) << told[1];
  EXPECT_TRUE(told[2].starts_with("On 4 GPUs, mlp at batch 256 trains ")) << told[2];
}

TEST(ScalingWords, NameStrongScalingAndDoubtTooMuch) {
  const std::string lead = "On 2 GPUs, mlp trains 1.80 times as many rows a second as on 1: efficiency 90.0 % ";
  schema::CaseResult strong = case_in_ranks("mlp", 2, 0.9);
  strong.spec.scaling = schema::Scaling::strong;
  EXPECT_EQ(sentences({strong}), Sentences{lead + "(88.0–91.0 %), strong scaling."});
  schema::CaseResult wide = case_in_ranks("mlp", 2, 0.9);
  wide.metrics.scaling_efficiency.ci95 = schema::Interval{0.1, 0.95};
  EXPECT_EQ(sentences({wide}), Sentences{lead + "(10.0–95.0 %)."}) << "the interval however wide";
  const std::string doubtful = sentences({case_in_ranks("mlp", 2, 1.2)}).at(0);
  EXPECT_NE(doubtful.find("; more than 100 % means"), std::string::npos) << doubtful;
}

TEST(ScalingWords, NameWhatStepsWaitFor) {
  schema::CaseResult result = case_in_ranks("mlp", 2, 0.966);
  result.metrics.scaling_efficiency.ci95.reset();
  result.metrics.communication_exposed_seconds = 0.0004;
  schema::Launch launch = tests::good_launch({0.1});
  for (const double seconds : {0.1, 0.1025}) {
    schema::RankResult rank;
    rank.rank = std::ssize(launch.ranks);
    rank.compute_step_seconds = seconds;
    launch.ranks.push_back(rank);
  }
  result.launches = {launch, launch, launch};
  EXPECT_EQ(sentences({result}),
            (Sentences{"On 2 GPUs, mlp trains 1.93 times as many rows a second as on 1: efficiency 96.6 %; 400 µs of "
                       "each step wait for gradients; rank 1 is the slowest (it computes 2.50 % longer than the "
                       "others)."}));
}

TEST(ScalingWords, SayThatProcessesShareCores) {
  schema::Report report;
  report.cases = {case_in_ranks("mlp", 4, 0.5, "cpu")};
  report.host.cpu.logical_cores = 2;
  const std::string shared = "; the 4 processes share 2 cores";
  EXPECT_NE(scaling_sentences(report).at(0).find(shared), std::string::npos) << scaling_sentences(report).at(0);
  report.cases[0].spec.affinity = "0";
  EXPECT_NE(scaling_sentences(report).at(0).find("share 1 core"), std::string::npos);
  report.cases[0].spec.affinity.reset();
  report.cases[0].metrics.scaling_efficiency = {};
  EXPECT_NE(scaling_sentences(report).at(0).find("add 1 to --ranks" + shared), std::string::npos);
  report.cases = {case_in_ranks("mlp", 4, 0.5, "cpu")};
  report.run.launcher = schema::LauncherInfo{"torchrun", 4, 2};
  EXPECT_EQ(scaling_sentences(report).at(0).find("share"), std::string::npos);
  report.host.cpu.logical_cores = 1;
  report.cases = {case_in_ranks("mlp", 4, 0.5)};
  EXPECT_EQ(scaling_sentences(report).at(0).find("share"), std::string::npos);
}

TEST(ScalingWords, SayWhatIsMissing) {
  EXPECT_EQ(sentences({case_in_ranks("mlp", 2, {})}),
            (Sentences{"How well mlp scales is not known without a case on 1 GPU: add 1 to --gpus."}));
  EXPECT_EQ(sentences({case_in_ranks("mlp", 2, {}, "cpu")}),
            (Sentences{"How well mlp scales is not known without a case in 1 process: add 1 to --ranks."}));
  EXPECT_TRUE(sentences({case_in_ranks("mlp", 1, {})}).empty());
}

TEST(ScalingWords, AreFewAndTellOfEachNetworkFirst) {
  std::vector<schema::CaseResult> cases;
  for (const std::int64_t batch_size : {1, 2, 3, 4}) {
    cases.push_back(case_in_ranks("mlp", 2, 0.9));
    cases.back().spec.batch_size = batch_size;
  }
  cases.push_back(case_in_ranks("resnet50", 2, 0.9));
  const Sentences told = sentences(cases);
  ASSERT_EQ(told.size(), 4U);
  EXPECT_TRUE(told[1].starts_with("On 2 GPUs, resnet50 trains ")) << told[1];
  EXPECT_TRUE(told[2].starts_with("On 2 GPUs, mlp at batch 2 trains ")) << told[2];
}

TEST(ScalingWords, AreNotAlikeButForTheirFigures) {
  schema::CaseResult ordered = case_in_ranks("vgg16", 2, 0.8);
  ordered.spec.channels_last = true;
  EXPECT_EQ(sentences({case_in_ranks("vgg16", 2, 0.9), ordered}).size(), 1U);
}

}  // namespace

}  // namespace mpsbench::output
