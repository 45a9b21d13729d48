#include "cli/commands/commands.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"

#include <sstream>

namespace mpsbench::cli {
namespace {

using schema::Mode;
using tests::contains;

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string line; std::getline(stream, line);) found.push_back(line);
  return found;
}

// Two cases of 36 parameters, two launches of 3 s each.
schema::RunRecord two_cases() {
  return tests::sample_run({tests::sample_spec("mlp", Mode::train, 64), tests::sample_spec("mlp", Mode::infer, 1)}, 2);
}

TEST(PlanText, HasALineACaseAndTheSum) {
  const std::vector<std::string> text = lines(plan_text(two_cases()));
  ASSERT_EQ(text.size(), 3U);
  EXPECT_EQ(text[0].rfind("mlp/train/cpu/b64/fp32/eager/synthetic  2 launches  36 parameters  about ", 0), 0U)
      << text[0];
  EXPECT_EQ(text[1].rfind("mlp/infer/cpu/b1/fp32/eager/synthetic   2 launches  36 parameters  about ", 0), 0U)
      << text[1];
  EXPECT_TRUE(text[0].ends_with("  up to 6.00 s")) << text[0];
  EXPECT_EQ(text[2], "2 cases, 4 launches, up to 12.0 s of measuring, without the set-up of each launch");
}

TEST(PlanText, ForecastsTheMemory) {
  // 36 weights; 64 rows of 8 inputs and 4 logits of 4 bytes. There are two more of the logits. AdamW keeps two
  // averages, SGD without momentum none.
  const std::vector<std::string> text = lines(plan_text(two_cases()));
  EXPECT_TRUE(contains(
      text[0], "about 5.4 KiB (weights 144 B, gradients 144 B, optimizer 144 B, batch 2.0 KiB, activations 3.0 KiB)"))
      << text[0];
  EXPECT_TRUE(contains(text[1], "about 224 B (weights 144 B, batch 32 B, activations 48 B)")) << text[1];
  schema::RunRecord record = two_cases();
  record.run.planned[0].spec.batch_size = 1;
  const std::vector<std::pair<schema::OptimizerSpec, std::string>> optimizers{
      {{"adamw", {{"amsgrad", 0}}}, "about 656 B"},
      {{"adam", {{"amsgrad", 1}}}, "about 800 B"},
      {{"sgd", {{"momentum", 0.9}}}, "about 512 B"},
      {{"sgd", {{"momentum", 0}}}, "about 368 B"}};
  for (const auto& [optimizer, expected] : optimizers) {
    record.run.planned[0].spec.optimizer = optimizer;
    EXPECT_TRUE(contains(lines(plan_text(record))[0], expected)) << plan_text(record);
  }
  record.run.planned[0].spec.ranks = 4;
  EXPECT_TRUE(contains(lines(plan_text(record))[0], "activations 48 B) for each process")) << plan_text(record);
  EXPECT_FALSE(contains(lines(plan_text(record))[1], "process"));
}

TEST(PlanText, ActivationsTakeHalfUnderAutocast) {
  // Two layers: the second keeps its 1,000 x 64 inputs, far more than all weights.
  nlohmann::json definition = tests::sample_definition();
  const nlohmann::json wide = {{"type", "linear"}, {"name", "wide"}, {"out_features", 64}};
  definition["layers"].insert(definition["layers"].begin(), wide);
  const std::string sha256 = schema::definition_sha256(definition);
  schema::CaseSpec spec = tests::sample_spec("mlp", Mode::train, 1000);
  schema::RunRecord record = tests::sample_run({spec, spec}, 1);
  record.run.definitions = {{sha256, definition}};
  for (schema::PlannedCase& planned : record.run.planned) planned.definition_sha256 = sha256;
  record.run.planned[1].spec.precision = schema::Precision::bf16;
  // (8 x 64 + 64 + 64 x 4 + 4) weights and their momentum, 1,000 x 8 inputs.
  const std::vector<std::string> text = lines(plan_text(record));
  EXPECT_TRUE(contains(text[0], "about 338 KiB")) << text[0];
  EXPECT_TRUE(contains(text[1], "about 191 KiB")) << text[1];
}

TEST(PlanText, WholeEpochsHaveNoLimitButTheTimeout) {
  schema::RunRecord record = two_cases();
  record.run.planned[0].spec.epochs = 1;
  record.run.planned[0].timeout_seconds = 600;
  record.run.planned[1].cooldown_seconds = 30;
  const std::vector<std::string> text = lines(plan_text(record));
  // 2 x 781 steps: the time is nearly that of issuing one layer.
  EXPECT_TRUE(text[0].ends_with("  about 47.1 ms (epochs of 781 steps: no limit but --timeout)")) << text[0];
  EXPECT_TRUE(text[1].ends_with("  up to 1 min 6 s")) << text[1];
  EXPECT_TRUE(contains(text[2], "about 1 min 6 s of measuring")) << text[2];
}

TEST(PlanText, LongStepsTakeLongerThanTheLimit) {
  schema::RunRecord record = two_cases();
  schema::Ceiling ceiling;
  ceiling.device = record.run.planned[0].spec.device;
  ceiling.threads = record.run.planned[0].spec.threads;
  ceiling.matmul_flops_per_second[schema::Precision::fp32] = 400;  // half of it, for 2 x 32 FLOP per row
  record.host.ceilings = {ceiling};
  const std::vector<std::string> text = lines(plan_text(record));
  EXPECT_TRUE(text[0].ends_with("s (steps are longer than --max-time allows)")) << text[0];
  EXPECT_TRUE(contains(text[0], "  about ")) << text[0];
  EXPECT_TRUE(text[1].ends_with("  up to 6.00 s")) << text[1];
  EXPECT_TRUE(contains(text[2], ", about ")) << text[2];
}

TEST(PlanText, OfARunThatFillsItsTimeSaysWhatALaunchTakes) {
  const auto text = [](double seconds) { return lines(plan_text(two_cases(), {}, {}, seconds)); };
  EXPECT_TRUE(contains(text(60)[0], "  2 launches or more  ")) << text(60)[0];
  EXPECT_TRUE(text(60)[0].ends_with("  up to 3.00 s each")) << text(60)[0];
  EXPECT_EQ(text(60)[2], "2 cases, 4 launches or more, within 1 min 0 s");
  EXPECT_EQ(text(10)[2],
            "2 cases, 4 launches or more, within 10.0 s, which is too short for up to 12.0 s of measuring");
}

TEST(PlanText, SaysWhyACaseWillNotRunAndCountsOne) {
  schema::RunRecord record = two_cases();
  record.run.planned[0].repeats = 1;
  record.launches[record.run.planned[0].id] = {
      tests::bad_launch(schema::Status::unsupported, "MPS devices are not measured by this version")};
  std::vector<std::string> text = lines(plan_text(record));
  EXPECT_TRUE(text[0].ends_with("  MPS devices are not measured by this version")) << text[0];
  EXPECT_TRUE(contains(text[2], "2 cases, 2 launches, up to 6.00 s")) << text[2];
  text = lines(plan_text(tests::sample_run({tests::sample_spec("mlp", Mode::train, 64)}, 1)));
  EXPECT_TRUE(contains(text[0], "  1 launch  ")) << text[0];
  EXPECT_EQ(text[1].rfind("1 case, 1 launch, up to 3.00 s", 0), 0U) << text[1];
}

TEST(PlanText, OfARunThatGoesOnCountsWhatIsMissing) {
  schema::RunRecord record = two_cases();
  record.launches[record.run.planned[0].id] = {tests::good_launch({0.01}, 0)};
  record.launches[record.run.planned[1].id] = {tests::good_launch({0.01}, 0), tests::good_launch({0.01}, 1)};
  const std::vector<std::string> text = lines(plan_text(record));
  EXPECT_TRUE(contains(text[0], "  1 launch  ")) << text[0];
  EXPECT_TRUE(text[0].ends_with("up to 3.00 s")) << text[0];
  EXPECT_TRUE(contains(text[1], "  0 launches  ")) << text[1];
  EXPECT_TRUE(text[1].ends_with("  done")) << text[1];
  EXPECT_TRUE(contains(text[2], "2 cases, 1 launch, up to 3.00 s")) << text[2];
}

}  // namespace
}  // namespace mpsbench::cli
