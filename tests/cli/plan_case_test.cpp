#include "cli/plan_case.hpp"

#include "support/errors.hpp"
#include "support/sample_run.hpp"

namespace mpsbench::cli {
namespace {

using schema::Mode;

TEST(PlanCase, PlansFromTheDefinitionThatTheRunKeeps) {
  const schema::RunRecord record = tests::sample_run(
      {tests::sample_spec("mlp", Mode::train, 2), tests::sample_spec("mlp", Mode::infer, 3)}, 1);
  const schema::Plan train = plan_case(record, record.run.plan[0]);
  EXPECT_EQ(train.model, "mlp");
  EXPECT_EQ(train.inputs[0].shape, (schema::Shape{2, 8}));
  EXPECT_GT(train.backward_macs, 0);
  const schema::Plan infer = plan_case(record, record.run.plan[1]);
  EXPECT_EQ(infer.inputs[0].shape, (schema::Shape{3, 8}));
  EXPECT_EQ(infer.backward_macs, 0);
}

TEST(PlanCase, TakesClassesAndLossOfTheCase) {
  schema::CaseSpec spec = tests::sample_spec("mlp", Mode::train, 2);
  spec.classes = 7;
  spec.loss = "mse";
  const schema::RunRecord record = tests::sample_run({spec}, 1);
  const schema::Plan plan = plan_case(record, record.run.plan[0]);
  EXPECT_EQ(plan.nodes.back().shape, (schema::Shape{2, 7}));
  EXPECT_EQ(plan.target_shape, (schema::Shape{2, 7}));
}

TEST(PlanCase, SaysThatTheDefinitionIsMissingOrBroken) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", Mode::train, 2)}, 1);
  const std::string sha256 = record.run.plan[0].definition_sha256;
  record.run.definitions[sha256].erase("layers");
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)plan_case(record, record.run.plan[0]); }),
                              "the key 'layers' is missing"));
  record.run.definitions.clear();
  EXPECT_EQ(tests::usage_error_of([&] { (void)plan_case(record, record.run.plan[0]); }),
            "the run holds no definition " + sha256 + " for mlp/train/cpu/b2/fp32/eager/synthetic");
}

TEST(RequireCountable, RefusesMoreThanAMillionLaunches) {
  const schema::CaseSpec spec = tests::sample_spec("mlp", Mode::train, 2);
  schema::RunRecord record = tests::sample_run({spec, spec}, 500'000);
  require_countable(record);
  ++record.run.plan[1].repeats;
  EXPECT_TRUE(
      tests::contains(tests::usage_error_of([&] { require_countable(record); }), "more than a million"));
  record.run.plan[1].repeats = 9223372036854775807;
  EXPECT_TRUE(
      tests::contains(tests::usage_error_of([&] { require_countable(record); }), "more than a million"));
}

}  // namespace
}  // namespace mpsbench::cli
