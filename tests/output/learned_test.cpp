#include "output/text/learned.hpp"

#include "output/console/console_table.hpp"
#include "output/export/exporters.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

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

schema::Report three_trained() {
  schema::Report report;
  report.cases = {trained("mlp", 1), trained("lenet5", 2), trained("mlp", 1)};
  report.cases[2].metrics.training_seconds.reset();
  return report;
}

TEST(Learned, HasALineForEachCaseThatWasEvaluated) {
  const std::string figures =
      ": train 99.00 %, validation 97.00 %, test 97.50 %. Times: epoch without evaluation 1.00 min (60.0 s), "
      "total training 1.30 min (78.0 s), total 1.35 min (81.0 s).";
  schema::Report report = three_trained();
  report.cases[0].metrics.total_seconds = 0.0812;
  EXPECT_TRUE(learned(report)[0].ends_with("total 0.00 min (81.2 ms).")) << learned(report)[0];
  EXPECT_EQ(learned(three_trained()),
            (std::vector<std::string>{"mlp/train/cpu/b64: accuracy after 1 epoch" + figures,
                                      "lenet5/train/cpu/b64: accuracy after 2 epochs" + figures}));
}

TEST(Learned, StandsBelowTheTables) {
  const std::string line = "lenet5/train/cpu/b64: accuracy after 2 epochs: train 99.00 %,";
  EXPECT_TRUE(tests::contains(console_report(three_trained(), false), "\n" + line));
  EXPECT_TRUE(tests::contains(to_markdown(three_trained()), "\n- " + line));
}

TEST(Learned, IsPrintableWhateverTheModelsName) {
  schema::Report report = three_trained();
  report.cases[1].id = "a|b\n<script>\x1b[0m/train/cpu/b64/fp32/eager/mnist";
  EXPECT_TRUE(tests::contains(console_report(report, false), "\na|b?<script>?[0m/train/cpu/b64: accuracy"));
  EXPECT_TRUE(tests::contains(to_markdown(report), "\n- a\\|b?\\<script\\>?\\[0m/train/cpu/b64: accuracy"));
}

}  // namespace
}  // namespace mpsbench::output
