#include "measure/communication.hpp"

#include "measure/fake_machine.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

constexpr double kComputeSeconds = 1.0 / 128;
constexpr double kAverageSeconds = 1.0 / 256;

// Passes the time of one average.
class Averaging final : public Step {
 public:
  explicit Averaging(FakeMachine& machine) : machine_(&machine) {}
  void run() override { machine_->idle(kAverageSeconds); }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  FakeMachine* machine_;
};

// Another process takes at least so long for everything.
class SlowOther final : public Agreement {
 public:
  explicit SlowOther(double seconds) : seconds_(seconds) {}
  void take_largest(std::span<double> numbers) override {
    for (double& number : numbers) number = std::max(number, seconds_);
  }

 private:
  double seconds_;
};

class CommunicationTest : public testing::Test {
 protected:
  schema::Launch measure(Agreement& agreement, double max_time_seconds) {
    machine_.step_seconds = [](std::int64_t) { return kComputeSeconds; };
    schema::Launch launch;
    launch.ranks.emplace_back();
    launch.samples_seconds = {1.0 / 64};
    launch.steps_per_sample = 4;
    Averaging averaging(machine_);
    schema::MeasureSpec spec;
    spec.max_time_seconds = max_time_seconds;
    measure_communication(machine_, averaging, machine_, agreement, spec, launch);
    return launch;
  }

  FakeMachine machine_;
};

TEST_F(CommunicationTest, HasTheTimesOfBothParts) {
  const schema::Launch launch = measure(alone(), 10);
  ASSERT_TRUE(launch.communication.has_value());
  EXPECT_EQ(launch.communication->compute_step_seconds, kComputeSeconds);
  EXPECT_EQ(launch.communication->average_seconds, kAverageSeconds);
  EXPECT_EQ(launch.ranks.front().compute_step_seconds, kComputeSeconds);
}

TEST_F(CommunicationTest, HasTheSlowestProcessInTheLaunchAndItsOwnTimeInTheRank) {
  SlowOther other(1.0 / 32);
  const schema::Launch launch = measure(other, 10);
  EXPECT_EQ(launch.communication->compute_step_seconds, 1.0 / 32);
  EXPECT_EQ(launch.communication->average_seconds, 1.0 / 32);
  EXPECT_EQ(launch.ranks.front().compute_step_seconds, kComputeSeconds);
}

// A window takes 1/16 s, as long as those of the launch.
TEST_F(CommunicationTest, TakesItsShareOfTheTime) {
  (void)measure(alone(), 10);
  EXPECT_EQ(machine_.steps(), 4 * 8);
}

TEST_F(CommunicationTest, RunsAFewWindowsEvenIfTimeIsShort) {
  (void)measure(alone(), 0.01);
  EXPECT_EQ(machine_.steps(), 4 * 3);
}

}  // namespace
}  // namespace mpsbench::measure
