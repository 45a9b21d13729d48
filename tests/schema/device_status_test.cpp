#include "schema/device_status.hpp"

#include "schema/round_trip.hpp"

namespace mpsbench::schema {
namespace {

using tests::expect_round_trip;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;

DeviceStatus telling_status() {
  DeviceStatus status{.device = "mps", .name = "Apple M1 Max", .built_in = true, .usable = true};
  status.unified_memory = true;
  status.precisions = {{Precision::fp32, ""}, {Precision::tf32, "it has no tf32"}};
  status.engines = {{Engine::eager, ""}, {Engine::graph, "it has no graphs"}};
  return status;
}

TEST(DeviceStatus, GoesThroughJson) {
  const DeviceStatus back = expect_round_trip(telling_status(), from_json<DeviceStatus>);
  EXPECT_EQ(back.device, DeviceId("mps"));
  EXPECT_EQ(back.unified_memory, true);
  ASSERT_EQ(back.precisions.size(), 2U);
  EXPECT_TRUE(back.precisions[0].usable());
  EXPECT_EQ(back.precisions[1].reason, "it has no tf32");
  ASSERT_EQ(back.engines.size(), 2U);
  EXPECT_EQ(back.engines[1].value, Engine::graph);
  EXPECT_FALSE(back.engines[1].usable());
}

TEST(DeviceStatus, RefusesUnknownNames) {
  const json good = reparsed(to_json(telling_status()));
  EXPECT_EQ(refusal(with(good, "/engines/1/name", "jit"), from_json<DeviceStatus>),
            "f.json: $.engines[1].name: unknown engine \"jit\"; known: eager, graph, compiled, compiled-graph");
}

}  // namespace
}  // namespace mpsbench::schema
