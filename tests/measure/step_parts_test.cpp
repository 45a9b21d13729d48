#include "measure/step_parts.hpp"

#include "measure/launch_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::measure {

namespace {

constexpr std::array kParts{2.0 / 512, 5.0 / 512, 1.0 / 512};

// Steps of 1/64 s, of which 20 fit into the rule's share of the time.
class StepPartsTest : public LaunchFixture {
 protected:
  void SetUp() override {
    machine_.part_seconds = [](std::int64_t) { return kParts; };
  }
  void use_queue() {
    machine_.queue = true;
    machine_.enqueue_seconds = 1.0 / 1024;
  }
  void expect_parts() {
    ASSERT_TRUE(launch_.step_parts.has_value());
    EXPECT_EQ(launch_.step_parts->forward_seconds, kParts[0]);
    EXPECT_EQ(launch_.step_parts->backward_seconds, kParts[1]);
    EXPECT_EQ(launch_.step_parts->update_seconds, kParts[2]);
  }
};

TEST_F(StepPartsTest, AreToldByTheClockIfStepsAreDoneWhenTheyReturn) {
  measure();
  expect_parts();
  EXPECT_EQ(machine_.marked_steps(), PartsRule::kMostSteps);
}

TEST_F(StepPartsTest, AreToldByTheEventsOfAQueue) {
  use_queue();
  machine_.has_events = true;
  measure();
  expect_parts();
}

TEST_F(StepPartsTest, AreNotToldByAQueueWithoutEvents) {
  use_queue();
  measure();
  EXPECT_FALSE(launch_.step_parts.has_value());
  EXPECT_EQ(machine_.marked_steps(), 0);
}

TEST_F(StepPartsTest, AreNotToldByAStepThatHasNone) {
  machine_.part_seconds = nullptr;
  measure();
  EXPECT_FALSE(launch_.step_parts.has_value());
  EXPECT_FALSE(launch_.samples_seconds.empty());
}

TEST_F(StepPartsTest, AreMedians) {
  machine_.part_seconds = [](std::int64_t step) {
    std::array<double, 3> parts = kParts;
    if (step % 7 == 0) parts[static_cast<std::size_t>(step) % 3] = 1;
    return parts;
  };
  measure();
  expect_parts();
}

TEST_F(StepPartsTest, TakeATwentiethOfTheTimeButAtLeastThreeSteps) {
  for (const auto& [seconds, steps] : {std::pair{1.0 / 8, 4}, {1.0 / 4, 3}, {1.0, 0}, {16.0, 0}}) {
    FakeMachine machine;
    machine.step_seconds = [step = seconds](std::int64_t) { return step; };
    machine.part_seconds = [step = seconds](std::int64_t) { return std::array{step / 4, step / 2, step / 4}; };
    schema::Launch launch;
    measure_launch(machine, machine, observer_, alone(), spec_, work_, false, launch);
    EXPECT_EQ(machine.marked_steps(), steps);
    EXPECT_EQ(launch.step_parts.has_value(), steps > 0);
  }
}

// Sensors are read during measured phases, and these steps are no samples.
TEST_F(StepPartsTest, AreNotMeasuredWithTheSamples) {
  std::vector<std::string> phases;
  machine_.part_seconds = [&](std::int64_t) {
    phases.push_back(observer_.phases.back());
    return kParts;
  };
  measure();
  work_.iterations = 50;
  measure();
  EXPECT_EQ(phases, std::vector<std::string>(2 * PartsRule::kMostSteps, "events"));
}

TEST_F(StepPartsTest, AreNotThoseOfAStepThatMarksMakeSlower) {
  for (const auto& [factor, kept] : {std::pair{17.0 / 16, true}, {18.0 / 16, false}, {14.0 / 16, false}}) {
    machine_.part_seconds = [by = factor](std::int64_t) {
      return std::array{by * kParts[0], by * kParts[1], by * kParts[2]};
    };
    launch_ = {};
    measure();
    EXPECT_EQ(launch_.step_parts.has_value(), kept) << factor;
  }
}

TEST_F(StepPartsTest, TakeNoMoreThanMaxBatches) {
  work_.max_batches = 3;
  measure();
  expect_parts();
  EXPECT_EQ(machine_.marked_steps(), 3);
  work_.max_batches = 2;
  launch_ = {};
  measure();
  EXPECT_FALSE(launch_.step_parts) << "no median";
  EXPECT_EQ(machine_.marked_steps(), 3);
}

TEST_F(StepPartsTest, FollowCountedStepsToo) {
  work_.iterations = 50;
  measure();
  expect_parts();
  EXPECT_EQ(launch_.samples_seconds.size(), 50U);
}

// Counted work has no event_check, so only the parts themselves show that the events are wrong.
class BrokenPartsTest : public StepPartsTest {
 protected:
  void SetUp() override {
    StepPartsTest::SetUp();
    use_queue();
    machine_.has_events = true;
    work_.iterations = 50;
  }
  void expect_caught() {
    measure();
    EXPECT_FALSE(launch_.step_parts.has_value());
    EXPECT_FALSE(launch_.samples_seconds.empty());
  }
};

TEST_F(BrokenPartsTest, ASlowClock) {
  machine_.event_clock.scale = 0.94;
  expect_caught();
}

TEST_F(BrokenPartsTest, ASlightlySlowClockIsGoodEnough) {
  machine_.event_clock.scale = 31.0 / 32;
  measure();
  EXPECT_TRUE(launch_.step_parts.has_value());
}

TEST_F(BrokenPartsTest, AClockThatRunsBackwardsOnce) {
  // The sum still agrees: 1/512 s of 20/64 s.
  machine_.event_clock.reverse = 3;
  expect_caught();
}

TEST_F(BrokenPartsTest, EventsThatDisagreedBefore) {
  work_.iterations.reset();
  machine_.event_clock.scale = 31.0 / 32;
  expect_caught();
  ASSERT_TRUE(launch_.event_check.has_value());
  EXPECT_FALSE(launch_.event_check->agrees);
}

TEST_F(StepPartsTest, OfAFedStepAreThoseOfTheResidentOne) {
  FakeMachine resident;
  resident.part_seconds = machine_.part_seconds;
  FakeMachine feed;
  machine_.part_seconds = nullptr;
  const InputParts parts{&resident, &feed};
  work_.iterations = 50;
  measure_launch(machine_, machine_, observer_, alone(), spec_, work_, false, launch_, &parts);
  EXPECT_EQ(resident.marked_steps(), PartsRule::kMostSteps);
}

using EnqueueTest = LaunchFixture;

TEST_F(EnqueueTest, IsTheHostsShareOfAStep) {
  machine_.queue = true;
  machine_.enqueue_seconds = 1.0 / 1024;
  measure();
  EXPECT_EQ(launch_.enqueue_seconds, 1.0 / 1024);
}

TEST_F(EnqueueTest, IsNoQuestionOnASynchronousDevice) {
  measure();
  EXPECT_EQ(launch_.enqueue_seconds, std::nullopt);
}

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
