#include "schema/network_plan.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::expect_exact_keys;
using tests::expect_round_trip;
using tests::full_plan;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;

TEST(NetworkPlan, GoesThroughJson) {
  const NetworkPlan plan = expect_round_trip(full_plan(), from_json<NetworkPlan>);
  ASSERT_EQ(plan.nodes.size(), 1U);
  EXPECT_EQ(plan.nodes[0].options, full_plan().nodes[0].options);
  ASSERT_EQ(plan.nodes[0].tensors.size(), 2U);
  EXPECT_EQ(plan.nodes[0].tensors[0].scale, 0.35355339059327373);
  EXPECT_EQ(plan.nodes[0].tensors[0].zero_row, 0);
  EXPECT_EQ(plan.nodes[0].tensors[1].zero_row, std::nullopt);
  EXPECT_EQ(plan.nodes[0].tensors[1].dtype, DType::int64);
  EXPECT_FALSE(plan.nodes[0].tensors[1].trainable);
  EXPECT_EQ(plan.inputs[0].high, 30522);
}

TEST(NetworkPlan, HasExactlyItsKeys) {
  expect_exact_keys(reparsed(to_json(full_plan())), from_json<NetworkPlan>, {"/nodes/0/tensors/0/zero_row"},
                    {"/nodes/0/options"});
}

TEST(NetworkPlan, RefusesSlotsAndSizesOutOfRange) {
  const json good = reparsed(to_json(full_plan()));
  const std::vector<std::pair<const char*, json>> bad{{"/slots", -1},
                                                      {"/slots", 2147483648U},
                                                      {"/nodes/0/inputs/0", -1},
                                                      {"/nodes/0/output", 0.5},
                                                      {"/nodes/0/release", 0},
                                                      {"/inputs/0/shape/0", -2},
                                                      {"/parameters", -1},
                                                      {"/nodes/0/tensors/0/zero_row", -1},
                                                      {"/target_shape", "x"}};
  for (const auto& [pointer, value] : bad) {
    EXPECT_TRUE(contains(refusal(with(good, pointer, value), from_json<NetworkPlan>), ": expected ")) << pointer;
  }
}

TEST(NetworkPlan, RefusesUnknownDtypes) {
  const json good = reparsed(to_json(full_plan()));
  for (const char* pointer : {"/inputs/0/dtype", "/nodes/0/tensors/0/dtype", "/target_dtype"}) {
    EXPECT_TRUE(contains(refusal(with(good, pointer, "complex64"), from_json<NetworkPlan>),
                         "unknown dtype \"complex64\"; known: float32, int64, bool"))
        << pointer;
  }
}

TEST(NetworkPlan, CountsTwoOperationsAMultiplyAccumulate) {
  EXPECT_EQ(flops_per_step(full_plan(), Mode::train), 2 * (64 + 128));
  EXPECT_EQ(flops_per_step(full_plan(), Mode::infer), 2 * 64);
}

TEST(Shape, IsShownInBrackets) {
  EXPECT_EQ(to_string(Shape{}), "[]");
  EXPECT_EQ(to_string(Shape{2, 3, 224}), "[2, 3, 224]");
}

}  // namespace
}  // namespace mpsbench::schema
