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
  void use_queue(bool has_events = true) {
    machine_.queue = true;
    machine_.enqueue_seconds = 1.0 / 1024;
    machine_.has_events = has_events;
  }
  void expect_parts() {
    ASSERT_TRUE(launch_.step_parts.has_value());
    EXPECT_EQ(launch_.step_parts->forward_seconds, kParts[0]);
    EXPECT_EQ(launch_.step_parts->backward_seconds, kParts[1]);
    EXPECT_EQ(launch_.step_parts->update_seconds, kParts[2]);
  }
};

TEST_F(StepPartsTest, AreToldByTheClockOrByTheEventsOfAQueue) {
  measure();
  expect_parts();
  EXPECT_EQ(machine_.marked_steps(), PartsRule::kMostSteps);
  use_queue();
  measure();
  expect_parts();
  EXPECT_EQ(machine_.marked_steps(), 2 * PartsRule::kMostSteps);
  use_queue(/*has_events=*/false);
  measure();
  EXPECT_FALSE(launch_.step_parts.has_value());
  EXPECT_EQ(machine_.marked_steps(), 2 * PartsRule::kMostSteps);
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
  std::int64_t before = 0;
  for (const auto& [seconds, steps] : {std::pair{1.0 / 8, 4}, {1.0 / 4, 3}, {1.0, 0}, {16.0, 0}}) {
    use_steps_of(seconds);
    machine_.part_seconds = [step = seconds](std::int64_t) { return std::array{step / 4, step / 2, step / 4}; };
    measure();
    EXPECT_EQ(machine_.marked_steps() - before, steps);
    EXPECT_EQ(launch_.step_parts.has_value(), steps > 0);
    before = machine_.marked_steps();
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
  expect_parts();
  EXPECT_EQ(samples(), 50U);
  EXPECT_EQ(phases, std::vector<std::string>(2 * PartsRule::kMostSteps, "events"));
}

TEST_F(StepPartsTest, AreNotThoseOfAStepThatMarksMakeSlower) {
  for (const auto& [factor, kept] : {std::pair{17.0 / 16, true}, {18.0 / 16, false}, {14.0 / 16, false}}) {
    machine_.part_seconds = [by = factor](std::int64_t) {
      return std::array{by * kParts[0], by * kParts[1], by * kParts[2]};
    };
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
  measure();
  EXPECT_FALSE(launch_.step_parts) << "no median";
  EXPECT_EQ(machine_.marked_steps(), 3);
}

// Counted work has no event_check, so only the parts themselves show that the events are wrong.
TEST_F(StepPartsTest, AreNotToldByWrongEvents) {
  use_queue();
  const auto are_kept = [this](const FakeEvents& events, std::optional<std::int64_t> iterations) {
    machine_.event_clock.scale = events.scale;
    machine_.event_clock.reverse = events.reverse;
    work_.iterations = iterations;
    measure();
    EXPECT_FALSE(launch_.samples_seconds.empty());
    return launch_.step_parts.has_value();
  };
  FakeEvents slow;
  slow.scale = 0.94;
  EXPECT_FALSE(are_kept(slow, 50));
  slow.scale = 31.0 / 32;
  EXPECT_TRUE(are_kept(slow, 50));
  EXPECT_FALSE(are_kept(slow, std::nullopt)) << "they disagreed before";
  EXPECT_TRUE(launch_.event_check && !launch_.event_check->agrees);
  FakeEvents backwards;
  backwards.reverse = 3;  // the sum still agrees: 1/512 s of 20/64 s
  EXPECT_FALSE(are_kept(backwards, 50));
}

TEST_F(StepPartsTest, OfAFedStepAreThoseOfTheResidentOne) {
  FakeMachine resident;
  resident.part_seconds = std::exchange(machine_.part_seconds, nullptr);
  FakeMachine feed;
  const InputParts parts{&resident, &feed};
  work_.iterations = 50;
  measure(false, &parts);
  EXPECT_EQ(resident.marked_steps(), PartsRule::kMostSteps);
}

TEST_F(StepPartsTest, EnqueueIsTheHostsShareOfAQueuedStep) {
  measure();
  EXPECT_EQ(launch_.enqueue_seconds, std::nullopt);
  use_queue();
  measure();
  EXPECT_EQ(launch_.enqueue_seconds, 1.0 / 1024);
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
  use_steps_of(1.0 / 8192);
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

TEST_F(EventsTest, OfAWrongClockAreNotKept) {
  const auto expect_caught = [this](double scale, double drift, std::optional<std::size_t> reverse) {
    machine_.event_clock.scale = scale;
    machine_.event_clock.drift = drift;
    machine_.event_clock.reverse = reverse;
    measure();
    ASSERT_TRUE(launch_.event_check.has_value());
    EXPECT_FALSE(launch_.event_check->agrees) << scale << " " << drift;
    EXPECT_TRUE(launch_.event_samples_seconds.empty());
    EXPECT_FALSE(launch_.samples_seconds.empty());  // the reference clock's samples are kept
  };
  expect_caught(0.98, 0, {});
  expect_caught(1, 0.002, {});
  expect_caught(1, 0, 3);
}

// A step that queues work on the machine's device. The work of the Nth one, from 1, takes SECONDS(N).
class Part final : public Step {
 public:
  Part(FakeMachine& machine, std::function<double(int)> seconds) : machine_(&machine), seconds_(std::move(seconds)) {}
  Part(FakeMachine& machine, double seconds) : Part(machine, [seconds](int) { return seconds; }) {}
  void run() override {
    const auto whole =
        std::exchange(machine_->step_seconds, [seconds = seconds_(++runs_)](std::int64_t) { return seconds; });
    machine_->run();
    machine_->step_seconds = whole;
  }
  void begin_epoch() override { runs_ = 0; }
  std::optional<double> loss() override { return std::nullopt; }
  [[nodiscard]] int runs() const { return runs_; }

 private:
  FakeMachine* machine_;
  std::function<double(int)> seconds_;
  int runs_ = 0;
};

class InputTimesTest : public LaunchFixture {
 protected:
  void SetUp() override { machine_.queue = true; }
  schema::InputTimes times(Step& resident, Step& feed) {
    const InputParts parts{&resident, &feed};
    measure(false, &parts);
    return launch_.input_times.value();
  }
};

TEST_F(InputTimesTest, TimeThePartsApart) {
  measure();
  EXPECT_FALSE(launch_.input_times.has_value()) << "the batch stays on the device";
  Part resident(machine_, 1.0 / 128);
  Part copy(machine_, 1.0 / 256);
  EXPECT_EQ(times(resident, copy).resident_step_seconds, 1.0 / 128);
  EXPECT_EQ(launch_.input_times->feed_seconds, 1.0 / 256);
}

TEST_F(InputTimesTest, DoNotCountBatchesThatWereReady) {
  Part resident(machine_, 1.0 / 128);
  Part feed(machine_, [](int batch) { return batch <= 5 ? 0 : 1.0 / 32; });
  EXPECT_EQ(times(resident, feed).feed_seconds, 1.0 / 32);
}

// An epoch's last batch takes half the time.
TEST_F(InputTimesTest, AreOfAWholeBatchAfterASmallerLastOne) {
  work_.epochs = 1;
  work_.steps_per_epoch = 4;
  work_.last_is_smaller = true;
  Part feed(machine_, 0);
  Part resident(machine_, [&feed](int) { return feed.runs() == 4 ? 1.0 / 256 : 1.0 / 128; });
  for (int i = 0; i < 4; ++i) feed.run();
  EXPECT_EQ(times(resident, feed).resident_step_seconds, 1.0 / 128);
}

}  // namespace
}  // namespace mpsbench::measure
