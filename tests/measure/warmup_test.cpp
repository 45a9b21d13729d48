#include "measure/warmup.hpp"

#include "measure/launch_fixture.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

using WarmupTest = LaunchFixture;

TEST(IsWarm, ShortStepsNeedTenWindowsAndTime) {
  const std::vector<double> samples(10, 1.0 / 64);
  EXPECT_TRUE(is_warm(samples, 0.06, 10));
  EXPECT_FALSE(is_warm(samples, 0.04, 10));
  EXPECT_FALSE(is_warm(std::span{samples}.first(9), 0.06, 10));
}

TEST(IsWarm, TwoLongStepsThatAgreeAreEnough) {
  EXPECT_TRUE(is_warm(std::vector<double>{0.30, 0.31}, 0.61, 10));
  EXPECT_FALSE(is_warm(std::vector<double>{0.40, 0.31}, 0.71, 10));
  EXPECT_FALSE(is_warm(std::vector<double>{0.60}, 0.60, 10));
}

TEST_F(WarmupTest, SteadyStepsAreWarmAfterTen) {
  measure();
  EXPECT_EQ(launch_.first_step_seconds, 1.0 / 64);
  EXPECT_EQ(launch_.warmup_samples_seconds, std::vector<double>(10, 1.0 / 64));
}

// After the first step come eight slow ones, each a little faster. The rule is checked at 10, 12, 14 and 16
// windows. Only at 16 are both halves of the last eight fast.
TEST_F(WarmupTest, SlowFirstStepsStayOutOfTheSamples) {
  machine_.step_seconds = [](std::int64_t step) {
    return step == 0 ? 1.0 : (step <= 8 ? static_cast<double>(10 - step) / 64 : 1.0 / 64);
  };
  measure();
  EXPECT_EQ(launch_.first_step_seconds, 1.0);
  EXPECT_EQ(warmups(), 16U);
  EXPECT_EQ(launch_.warmup_samples_seconds.front(), 9.0 / 64);
  EXPECT_EQ(launch_.samples_seconds, std::vector<double>(32, 1.0 / 64));
}

// Every step is longer than the one before, by a 16th of the first. No two halves agree, so the warm-up uses
// 30 % of the time that the first step left.
TEST_F(WarmupTest, DriftIsBoundedByAShareOfTheTime) {
  machine_.step_seconds = [](std::int64_t step) { return static_cast<double>(16 + step) / 1024; };
  measure();
  const double allowed = 0.3 * (10 - 16.0 / 1024);
  EXPECT_LE(sum(launch_.warmup_samples_seconds), allowed);
  EXPECT_GT(sum(launch_.warmup_samples_seconds) + launch_.samples_seconds[0], allowed);
}

TEST_F(WarmupTest, NoiseDoesNotKeepItGoing) {
  machine_.step_seconds = [](std::int64_t step) { return static_cast<double>(64 + step * 37 % 16) / 4096; };
  measure();
  EXPECT_LE(warmups(), 16U);
}

TEST_F(WarmupTest, LongStepsGetOneWarmUpStepThatFits) {
  use_steps_of(1.0);
  spec_.max_time_seconds = 3.5;
  measure();
  EXPECT_EQ(warmups(), 1U);
  EXPECT_EQ(samples(), 2U);
}

TEST_F(WarmupTest, ShortStepsAreWarmedInGrowingWindows) {
  use_steps_of(1.0 / (1 << 20));
  measure();
  EXPECT_GE(machine_.steps(), 52428);  // they take 0.05 s
  EXPECT_LT(warmups(), 200U);
}

TEST_F(WarmupTest, StepsAreCounted) {
  warm_up_steps(25);
  measure();
  EXPECT_EQ(warmups(), 25U);
  const std::int64_t before = machine_.steps();
  warm_up_steps(0);
  measure();
  EXPECT_EQ(warmups(), 0U);
  EXPECT_EQ(machine_.steps() - before, 1 + static_cast<std::int64_t>(samples())) << "only the first is left out";
}

TEST_F(WarmupTest, PreparationComesBeforeAnySampleWhateverTheWarmup) {
  machine_.preparation = 3;
  warm_up_steps(0);
  machine_.step_seconds = [](std::int64_t step) { return step < 4 ? 1.0 : 1.0 / 64; };
  measure();
  EXPECT_EQ(warmups(), 3U);
  for (const double seconds : launch_.samples_seconds) EXPECT_EQ(seconds, 1.0 / 64);
}

TEST_F(WarmupTest, AGpusFirstStepTakesNothingOffItsTime) {
  machine_.queue = true;
  machine_.step_seconds = [](std::int64_t step) { return step == 0 ? 8.0 : 1.0 / 64; };
  measure();
  EXPECT_EQ(launch_.first_step_seconds, 8.0);
  EXPECT_EQ(launch_.stopped_by, "max-noise");
  EXPECT_GE(launch_.steps_per_sample, 10);
}

TEST_F(WarmupTest, ACpusFirstStepIsPartOfItsTime) {
  machine_.step_seconds = [](std::int64_t step) { return step == 0 ? 9.75 : 1.0 / 64; };
  spec_.max_noise = -1;
  measure();
  EXPECT_LE(sum(launch_.samples_seconds), 0.25 + 1.0 / 32);
}

// Devices with short steps or a queue must find the size of a window, and some engines must prepare
// themselves.
TEST_F(WarmupTest, ExactlyTheStepsThatWereAskedFor) {
  std::int64_t warm = 0;  // steps in the phase warmup, with the first step
  const auto run = [&](bool queue, std::int64_t steps, std::int64_t preparation, bool counted) {
    FakeMachine machine;
    RecordingObserver observer;
    machine.queue = queue;
    machine.preparation = preparation;
    machine.cost_seconds = 1.0 / (1 << 25);
    machine.step_seconds = [&](std::int64_t) {
      warm += observer.phases.back() == "warmup" ? 1 : 0;
      return 1.0 / (1 << 16);
    };
    WorkAmount work;
    if (counted) work.iterations = 100;
    spec_.warmup = {schema::WarmupSpec::Kind::steps, static_cast<double>(steps)};
    schema::Launch launch;
    warm = 0;
    measure_launch(machine, machine, observer, alone(), spec_, work, false, launch);
    EXPECT_GE(launch.samples_seconds.size(), 1U);
    return launch.warmup_samples_seconds.size();
  };
  for (const bool queue : {false, true}) {
    for (const bool counted : {false, true}) {
      for (const std::int64_t steps : {0, 1, 3, 20}) {
        EXPECT_EQ(run(queue, steps, 0, counted), static_cast<std::size_t>(steps));
        EXPECT_EQ(warm, 1 + steps) << queue << counted;
      }
      EXPECT_EQ(run(queue, 5, 3, counted), 5U) << "the preparation is part of them";
      EXPECT_EQ(run(queue, 0, 3, counted), 3U) << "the front refuses this";
    }
  }
}

TEST_F(WarmupTest, SecondsRunUntilTheyAreOver) {
  spec_.warmup = {schema::WarmupSpec::Kind::seconds, 2};
  measure();
  EXPECT_EQ(sum(launch_.warmup_samples_seconds), 2);
  EXPECT_EQ(warmups(), 128U);
  std::int64_t warm = 0;
  machine_.cost_seconds = 1.0 / (1 << 25);
  machine_.step_seconds = [&](std::int64_t) {
    warm += observer_.phases.back() == "warmup" ? 1 : 0;
    return 1.0 / (1 << 14);
  };
  for (const bool queue : {false, true}) {
    machine_.queue = queue;
    warm = 0;
    spec_.warmup = {schema::WarmupSpec::Kind::seconds, 2};
    measure();
    EXPECT_GE(warm, 1 + (2 << 14));
    EXPECT_LE(warm, 1 + (2 << 14) + 32) << "the last window ends within 1/1000 of them";
  }
}

TEST_F(WarmupTest, TheLaunchsTimeBoundsWhatWasAskedFor) {
  use_steps_of(1.0);
  warm_up_steps(1000);
  spec_.max_time_seconds = 5;
  measure();
  EXPECT_EQ(warmups(), 4U);
  EXPECT_EQ(samples(), 1U);
}

}  // namespace
}  // namespace mpsbench::measure
