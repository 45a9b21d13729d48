#include "suite/script_model.hpp"

#include "model/build_network_plan.hpp"
#include "suite/support.hpp"
#include "support/scratch.hpp"

namespace mpsbench::suite {
namespace {

using tests::contains;
using tests::settings_of;
using tests::usage_error_of;

TEST(ScriptModel, IsANetworkOfOneLayer) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("my net.pt", "some bytes").string();
  const auto settings = settings_of({{"input-shape", "3x8x8,16:100"}});
  const model::Definition definition = script_definition(file, settings);
  EXPECT_EQ(definition.name, "my_net-3x8x8-16_100");
  EXPECT_EQ(definition.classes, 1000);
  const schema::NetworkPlan plan =
      model::build_network_plan(definition, 4, 7, {}, "cross_entropy", schema::Mode::train);
  EXPECT_TRUE(schema::runs_script(plan));
  ASSERT_EQ(plan.inputs.size(), 2U);
  EXPECT_EQ(plan.inputs[0].shape, (schema::Shape{4, 3, 8, 8}));
  EXPECT_EQ(plan.inputs[1].dtype, "int64");
  EXPECT_EQ(plan.inputs[1].high, 100);
  EXPECT_EQ(plan.target_shape, schema::Shape{4});
  EXPECT_EQ(plan.target_high, 7);
}

TEST(ScriptModel, OtherBytesAreAnotherDefinition) {
  const tests::Scratch scratch;
  const auto settings = settings_of({{"input-shape", "10"}});
  const std::string file = scratch.write("a.pt", "one").string();
  const std::string before = script_definition(file, settings).sha256;
  scratch.write("a.pt", "two");
  EXPECT_NE(script_definition(file, settings).sha256, before);
}

TEST(ScriptModel, Refusals) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("a.pt", "x").string();
  EXPECT_TRUE(
      contains(usage_error_of([&] { (void)script_definition(file, settings_of({})); }), "--input-shape"));
  EXPECT_TRUE(contains(
      usage_error_of([&] { (void)script_definition("none.pt", settings_of({{"input-shape", "10"}})); }),
      "none.pt"));
}

}  // namespace
}  // namespace mpsbench::suite
