#include "measure/timer.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {

namespace {

TEST(HostTimer, NeverRunsBackwardsAndKnowsItsCost) {
  HostTimer timer;
  const double before = timer.now_seconds();
  timer.synchronize();
  EXPECT_GE(timer.now_seconds(), before);
  EXPECT_GT(timer.clock_cost_seconds(), 0);
  EXPECT_FALSE(timer.asynchronous());
}

}  // namespace

}  // namespace mpsbench::measure
