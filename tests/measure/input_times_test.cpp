#include "measure/launch_fixture.hpp"
#include "measure/step_parts.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace mpsbench::measure {
namespace {

class InputTimesTest : public LaunchFixture {};

// A step that queues SECONDS of work on the machine's device.
class Part final : public Step {
 public:
  Part(FakeMachine& machine, double seconds) : machine_(&machine), seconds_(seconds) {}
  void run() override {
    const auto whole = std::exchange(machine_->step_seconds, [this](std::int64_t) { return seconds_; });
    machine_->run();
    machine_->step_seconds = whole;
  }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  FakeMachine* machine_;
  double seconds_;
};

TEST_F(InputTimesTest, TimesThePartsApart) {
  machine_.queue = true;
  Part resident(machine_, 1.0 / 128);
  Part copy(machine_, 1.0 / 256);
  const InputParts parts{&resident, &copy};
  measure_launch(machine_, machine_, observer_, alone(), spec_, work_, false, launch_, &parts);
  ASSERT_TRUE(launch_.input_times.has_value());
  EXPECT_EQ(launch_.input_times->resident_step_seconds, 1.0 / 128);
  EXPECT_EQ(launch_.input_times->feed_seconds, 1.0 / 256);
}

// The first five batches take no time because they are ready.
class EagerFeed final : public Step {
 public:
  explicit EagerFeed(FakeMachine& machine) : machine_(&machine) {}
  void run() override {
    const double seconds = ++fed_ <= 5 ? 0 : 1.0 / 32;
    const auto whole = std::exchange(machine_->step_seconds, [seconds](std::int64_t) { return seconds; });
    machine_->run();
    machine_->step_seconds = whole;
  }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  FakeMachine* machine_;
  int fed_ = 0;
};

TEST_F(InputTimesTest, DoNotCountBatchesThatWereReady) {
  machine_.queue = true;
  Part resident(machine_, 1.0 / 128);
  EagerFeed feed(machine_);
  const InputParts parts{&resident, &feed};
  measure_launch(machine_, machine_, observer_, alone(), spec_, work_, false, launch_, &parts);
  EXPECT_EQ(launch_.input_times->feed_seconds, 1.0 / 32);
}

// A feed whose epoch ends with a batch that takes half the time.
class FeedOfEpochs final : public Step {
 public:
  void run() override { at_ = at_ == 4 ? 1 : at_ + 1; }
  void begin_epoch() override { at_ = 0; }
  std::optional<double> loss() override { return std::nullopt; }
  [[nodiscard]] bool is_short() const { return at_ == 4; }

 private:
  int at_ = 0;
};

class StepOfEpochs final : public Step {
 public:
  StepOfEpochs(FakeMachine& machine, FeedOfEpochs& feed)
      : part_(machine, 1.0 / 128), half_(machine, 1.0 / 256), feed_(&feed) {}
  void run() override { (feed_->is_short() ? half_ : part_).run(); }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  Part part_, half_;
  FeedOfEpochs* feed_;
};

TEST_F(InputTimesTest, AreOfAWholeBatchAfterASmallerLastOne) {
  machine_.queue = true;
  work_.epochs = 1;
  work_.steps_per_epoch = 4;
  work_.last_is_smaller = true;
  FeedOfEpochs feed;
  for (int i = 0; i < 4; ++i) feed.run();
  StepOfEpochs resident(machine_, feed);
  const InputParts parts{&resident, &feed};
  measure_launch(machine_, machine_, observer_, alone(), spec_, work_, false, launch_, &parts);
  EXPECT_EQ(launch_.input_times->resident_step_seconds, 1.0 / 128);
}

TEST_F(InputTimesTest, AreLeftOutWhereTheBatchStaysOnTheDevice) {
  machine_.queue = true;
  measure();
  EXPECT_FALSE(launch_.input_times.has_value());
}

}  // namespace
}  // namespace mpsbench::measure
