#include "supervise/launch_group.hpp"

#include "supervise/support.hpp"

#include <gtest/gtest.h>

namespace mpsbench::supervise {

namespace {

schema::LaunchRequest request() {
  schema::LaunchRequest request = tests::request_for(tests::planned_case("net", 8));
  request.group = {.ranks = 4, .address = "node1", .port = 4321, .prefix = "run/launch/1"};
  request.check_output = request.check_engine = request.report_losses = true;
  request.dump_first_step = "/d.safetensors";
  return request;
}

TEST(RequestInGroup, OfRankZeroAsksForAll) {
  const schema::LaunchRequest zero = request_in_group(request(), 0, "cpu");
  EXPECT_EQ(zero.group->rank, 0);
  EXPECT_TRUE(zero.check_output && zero.check_engine && zero.report_losses && zero.dump_first_step);
}

TEST(RequestInGroup, OfOthersOnlyMeasures) {
  const schema::LaunchRequest third = request_in_group(request(), 3, "cpu");
  EXPECT_EQ(third.group->rank, 3);
  EXPECT_EQ(third.group->prefix, "run/launch/1");
  EXPECT_FALSE(third.check_output || third.check_engine || third.report_losses || third.dump_first_step);
  EXPECT_EQ(third.spec.device, schema::DeviceId(schema::DeviceKind::cpu));
}

TEST(RequestInGroup, HasTheDeviceOfTheRank) {
  EXPECT_EQ(request_in_group(request(), 3, "cuda:1").spec.device, schema::DeviceId("cuda:1"));
}

}  // namespace

}  // namespace mpsbench::supervise
