#include "measure/events.hpp"

#include "measure/launch_fixture.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mpsbench::measure {
namespace {

class EventsTest : public LaunchFixture {
 protected:
  void SetUp() override {
    machine_.queue = true;
    machine_.has_events = true;
  }
};

TEST_F(EventsTest, TimeSingleStepsWhereWindowsHideThem) {
  machine_.step_seconds = [](std::int64_t step) { return step % 2 == 0 ? 1.0 / 64 : 3.0 / 64; };
  measure();
  ASSERT_TRUE(launch_.event_check.has_value());
  EXPECT_TRUE(launch_.event_check->agrees);
  const std::set<double> kinds(launch_.event_samples_seconds.begin(), launch_.event_samples_seconds.end());
  EXPECT_EQ(kinds, (std::set<double>{1.0 / 64, 3.0 / 64}));
  EXPECT_GE(launch_.steps_per_sample, 10);
  EXPECT_EQ(launch_.event_steps_per_sample, 1);
}

// One step of 1/8192 s is shorter than the minimum time between two events; three steps are longer.
TEST_F(EventsTest, StandAfterSeveralStepsWhereOneIsShort) {
  machine_.step_seconds = [](std::int64_t) { return 1.0 / 8192; };
  measure();
  EXPECT_EQ(launch_.event_steps_per_sample, 3);
  ASSERT_TRUE(launch_.event_check.has_value());
  EXPECT_TRUE(launch_.event_check->agrees);
  for (const double seconds : launch_.event_samples_seconds) EXPECT_DOUBLE_EQ(seconds, 1.0 / 8192);
}

TEST_F(EventsTest, TakeATenthOfTheTime) {
  machine_.step_seconds = [](std::int64_t step) { return step % 64 == 0 ? 1.0 / 32 : 1.0 / 64; };
  spec_.max_noise = -1;
  measure();
  EXPECT_LT(sum(launch_.event_samples_seconds), 1.5);
  EXPECT_GT(sum(launch_.event_samples_seconds), 0.9);
}

TEST_F(EventsTest, AreLeftOutWhereThereAreNone) {
  machine_.has_events = false;
  measure();
  EXPECT_FALSE(launch_.event_check.has_value());
  EXPECT_TRUE(launch_.event_samples_seconds.empty());
}

class BrokenEventsTest : public EventsTest {
 protected:
  void expect_caught() {
    measure();
    ASSERT_TRUE(launch_.event_check.has_value());
    EXPECT_FALSE(launch_.event_check->agrees);
    EXPECT_TRUE(launch_.event_samples_seconds.empty());
    EXPECT_FALSE(launch_.samples_seconds.empty());  // the reference clock's samples are kept
  }
};

TEST_F(BrokenEventsTest, ASlowClock) {
  machine_.event_clock.scale = 0.98;
  expect_caught();
}

TEST_F(BrokenEventsTest, ADriftingClock) {
  machine_.event_clock.drift = 0.002;
  expect_caught();
}

TEST_F(BrokenEventsTest, AClockThatRunsBackwardsOnce) {
  machine_.event_clock.reverse = 3;
  expect_caught();
}

}  // namespace
}  // namespace mpsbench::measure
