#include "output/text/cases.hpp"

#include "output/console/console_table.hpp"
#include "output/export/exporters.hpp"
#include "support/errors.hpp"
#include "support/exported.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using schema::Status;
using Texts = std::vector<std::string>;

TEST(ShortIds, LeaveOutWhatAllShare) {
  const std::pair<Texts, Texts> rows[] = {
      {{"mlp/train/cpu/b64/fp32/eager/synthetic", "mlp/infer/cpu/b64/fp32/eager/synthetic+seed=1"},
       {"mlp/train/cpu/b64", "mlp/infer/cpu/b64+seed=1"}},
      {{"mlp/train/cpu/b64/fp32/eager/synthetic", "mlp/train/cpu/b64/bf16/eager/synthetic"},
       {"mlp/train/cpu/b64/fp32", "mlp/train/cpu/b64/bf16"}},
      {{"mlp/train/b64/fp32/eager/synthetic"}, {"mlp/train/b64"}},
      {{}, {}},
      {{"", "a/b/c/d/e", "x+weights=a/b"}, {"", "a/b/c/d/e", "x+weights=a/b"}}};
  for (const auto& [ids, texts] : rows) EXPECT_EQ(short_ids(ids), texts);
}

TEST(RunCommand, NamesTheWorkButNotTheMachine) {
  EXPECT_EQ(run_command("mlp/train/cuda:1/b64/fp32/eager/synthetic"), "mpsbench run -m mlp --mode train -b 64");
  EXPECT_EQ(run_command("vgg16/infer/mps/b8/bf16/graph/cifar10+affinity=0-3+channels-last=true+epochs=1+"
                        "optimizer=adam:lr=5e-05+threads=1"),
            "mpsbench run -m vgg16 --mode infer -b 8 --precision bf16 --engine graph --dataset cifar10 "
            "--channels-last --epochs 1 --optimizer adam:lr=5e-05");
  EXPECT_EQ(run_command("gpt2/train/cpu/b1/fp32/eager/synthetic+heads=4+layers=2+max-length=64"),
            "mpsbench run -m gpt2 --mode train -b 1 --max-length 64 --set heads=4,layers=2");
  EXPECT_EQ(run_command("my net/train/cpu/b1/fp32/eager/synthetic"), "mpsbench run -m 'my net' --mode train -b 1");
  for (const char* id : {"", "/", "+", "a+=", "a/b/c/", "x+threads=1+", "a/b/c/d/e/f/g/h/i+x"})
    EXPECT_TRUE(run_command(id).starts_with("mpsbench run")) << "a foreign id " << id;
}

TEST(Measured, CountsLaunchesThatEndedWellAndTimedSteps) {
  schema::CaseResult result = tests::measured_case();
  result.launches.insert(result.launches.begin(), tests::bad_launch(Status::crashed, "signal 11"));
  result.launches.push_back(tests::good_launch({}));
  EXPECT_EQ(timed_launches(result).size(), 2U);
  EXPECT_EQ(median_steps(timed_launches(result)), (std::vector<double>{0.25, 0.5}));
  EXPECT_TRUE(has_figures(result));
  EXPECT_FALSE(has_figures(tests::unmeasured_case()));
  result.launches.clear();
  EXPECT_FALSE(has_figures(result)) << "nothing was measured";
}

TEST(FailureWords, SayEachStatusAndWhy) {
  const std::tuple<Status, std::string, std::string> rows[] = {
      {Status::oom, "needs 14.2 GiB, 9.8 free", "out of memory (needs 14.2 GiB, 9.8 free)"},
      {Status::oom, "out of memory at 3 GiB", "out of memory at 3 GiB"},
      {Status::timeout, "600 s", "timed out (600 s)"}};
  for (const auto& [status, message, words] : rows)
    EXPECT_EQ(failure_words(status, schema::Failure{"kind", message, "detail"}), words);
  EXPECT_EQ(failure_words(Status::crashed, std::nullopt), "crashed");
  EXPECT_EQ(failure_words(Status::ok, std::nullopt), "");
  for (const Status status : {Status::unsupported, Status::failed, Status::skipped, Status::interrupted})
    EXPECT_FALSE(failure_words(status, std::nullopt).empty());
}

schema::CaseResult trained(const std::string& model, std::int64_t epochs) {
  schema::CaseResult result;
  result.id = model + "/train/cpu/b64/fp32/eager/mnist";
  result.spec = tests::sample_spec(model, schema::Mode::train, 64);
  result.spec.epochs = epochs;
  result.metrics.training_accuracy = 0.99;
  result.metrics.validation_accuracy = 0.97;
  result.metrics.test_accuracy = 0.975;
  result.metrics.epoch_seconds = {60.0, std::nullopt, "measured"};
  result.metrics.training_seconds = 78;
  result.metrics.total_seconds = 81;
  return result;
}

TEST(Learned, HasALineForEachCaseThatWasEvaluated) {
  const std::string figures =
      ": train 99.00 %, validation 97.00 %, test 97.50 %. Times: epoch without evaluation 1.00 min (60.0 s), "
      "total training 1.30 min (78.0 s), total 1.35 min (81.0 s).";
  schema::Report report;
  report.cases = {trained("mlp", 1), trained("lenet5", 2), trained("mlp", 1)};
  report.cases[2].metrics.training_seconds.reset();
  EXPECT_EQ(training_lines(report), (Texts{"mlp/train/cpu/b64: accuracy after 1 epoch" + figures,
                                           "lenet5/train/cpu/b64: accuracy after 2 epochs" + figures}));
  report.cases[0].metrics.total_seconds = 0.0812;
  EXPECT_TRUE(training_lines(report)[0].ends_with("total 0.00 min (81.2 ms).")) << training_lines(report)[0];
  report.cases[1].id = "a|b\n<script>\x1b[0m/train/cpu/b64/fp32/eager/mnist";
  EXPECT_TRUE(tests::contains(console_report(report, false), "\na|b?<script>?[0m/train/cpu/b64: accuracy"));
  EXPECT_TRUE(tests::contains(to_markdown(report), "\n- a\\|b?\\<script\\>?\\[0m/train/cpu/b64: accuracy"));
}

}  // namespace
}  // namespace mpsbench::output
