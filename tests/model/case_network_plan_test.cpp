#include "model/build_network_plan.hpp"
#include "model/networks.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"

#include <algorithm>

namespace mpsbench::model {
namespace {

using schema::Mode;

schema::NetworkPlan plan_of(const schema::RunRecord& record, std::size_t index) {
  const schema::PlannedCase& planned = record.run.planned[index];
  return case_network_plan(record.run, planned.definition_sha256, planned.spec);
}

TEST(CaseNetworkPlan, PlansFromTheDefinitionThatTheRunKeeps) {
  const schema::RunRecord record =
      tests::sample_run({tests::sample_spec("mlp", Mode::train, 2), tests::sample_spec("mlp", Mode::infer, 3)}, 1);
  const schema::NetworkPlan train = plan_of(record, 0);
  EXPECT_EQ(train.model, "mlp");
  EXPECT_EQ(train.inputs[0].shape, (schema::Shape{2, 8}));
  EXPECT_GT(train.backward_macs, 0);
  const schema::NetworkPlan infer = plan_of(record, 1);
  EXPECT_EQ(infer.inputs[0].shape, (schema::Shape{3, 8}));
  EXPECT_EQ(infer.backward_macs, 0);
}

TEST(CaseNetworkPlan, TakesClassesAndLossOfTheCase) {
  schema::CaseSpec spec = tests::sample_spec("mlp", Mode::train, 2);
  spec.classes = 7;
  spec.loss = "mse";
  const schema::RunRecord record = tests::sample_run({spec}, 1);
  const schema::NetworkPlan plan = plan_of(record, 0);
  EXPECT_EQ(plan.nodes.back().shape, (schema::Shape{2, 7}));
  EXPECT_EQ(plan.target_shape, (schema::Shape{2, 7}));
}

TEST(CaseNetworkPlan, TakesTheLengthOfTextsAndMarksMasksThatMayHavePadding) {
  const Definition bert = tests::load_model("bert-tiny");
  const auto masks = [&](std::optional<schema::Pad> pad, const std::string& fill = "ones") {
    schema::CaseSpec spec = tests::sample_spec("bert-tiny", Mode::infer, 2);
    spec.max_length = 16;
    spec.pad = pad;
    schema::RunRecord record = tests::sample_run({spec}, 1);
    record.run.definitions[bert.sha256] = bert.document;
    for (nlohmann::json& input : record.run.definitions[bert.sha256]["inputs"]) {
      if (input["name"] == "attention_mask") input["fill"] = fill;
    }
    record.run.planned[0].definition_sha256 = bert.sha256;
    const schema::NetworkPlan plan = plan_of(record, 0);
    EXPECT_EQ(plan.inputs[0].shape, (schema::Shape{2, 16}));
    return std::count_if(plan.nodes.begin(), plan.nodes.end(), [](const schema::NetworkNode& node) {
      return node.type == "padding_mask" && node.options.value(schema::kMayHavePadding, false);
    });
  };
  EXPECT_EQ(masks(std::nullopt), 0);
  EXPECT_EQ(masks(schema::Pad::max), 1);
  EXPECT_EQ(masks(std::nullopt, "zeros"), 1);
}

TEST(CaseNetworkPlan, SaysThatTheDefinitionIsMissingOrBroken) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", Mode::train, 2)}, 1);
  const std::string sha256 = record.run.planned[0].definition_sha256;
  record.run.definitions[sha256].erase("layers");
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)plan_of(record, 0); }), "the key 'layers' is missing"));
  record.run.definitions.clear();
  EXPECT_EQ(tests::usage_error_of([&] { (void)plan_of(record, 0); }),
            "$.run.definitions lacks " + sha256 + ", the definition of the model mlp");
}

}  // namespace
}  // namespace mpsbench::model
