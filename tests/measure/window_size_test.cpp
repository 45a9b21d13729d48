#include "measure/launch_fixture.hpp"
#include "measure/step.hpp"
#include "measure/throughput.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mpsbench::measure {
namespace {

using WindowSizeTest = LaunchFixture;

TEST_F(WindowSizeTest, OneStepWhereTheClockIsCheap) {
  machine_.cost_seconds = 1.0 / (1 << 16);  // 1/1024 of a step
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 1);
}

TEST_F(WindowSizeTest, HoldsTheStepsThatAStepAsksFor) {
  machine_.least_window = 8;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 8);
  EXPECT_EQ(machine_.steps() % 8, 1) << "the first step, then whole windows";
  work_.epochs = 1;
  work_.steps_per_epoch = 24;
  warm_up_steps(0);
  measure();
  EXPECT_EQ(samples(), 3U);
}

// The clock's cost is 1/512 of a step: less than 0.1 % of two.
TEST_F(WindowSizeTest, TheSmallestWindowThatHidesTheClock) {
  machine_.cost_seconds = 1.0 / (1 << 15);
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 2);
  EXPECT_EQ(launch_.samples_seconds[0], 1.0 / 64);
}

// Agreeing takes 1/64 of a step: less than 1 % of two.
TEST_F(WindowSizeTest, TheSmallestWindowBesideWhichAgreeingIsShort) {
  SlowAgreement agreement(machine_, 1.0 / (1 << 12));
  const auto steps = [&] {
    measure_launch(machine_, machine_, observer_, agreement, spec_, work_, false, launch_);
    return launch_.steps_per_sample;
  };
  EXPECT_EQ(steps(), 2);
  spec_.min_samples = 1000;  // of the usual 10 s
  EXPECT_EQ(steps(), 1);
}

// A tick lasts eight steps, and a window must be longer than 1,000 ticks. So it needs 8,001 steps; a trial
// window of 8,192 shows this.
TEST_F(WindowSizeTest, StepsShorterThanTheClocksTick) {
  use_steps_of(1.0 / 8192);
  machine_.tick_seconds = 1.0 / 1024;
  machine_.cost_seconds = 1.0 / 1024;
  spec_.max_time_seconds = 40;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 8001);
  EXPECT_EQ(samples(), 10U);
  for (const double sample : launch_.samples_seconds) EXPECT_NEAR(sample * 8192, 1, 0.001);
  EXPECT_EQ(launch_.stopped_by, "max-noise");
}

// Four times a thousand times the clock's cost are 7.8 steps, which the last 8 of 16 exceed.
TEST_F(WindowSizeTest, WithoutWarmUpTheFirstSampleGrows) {
  machine_.step_seconds = [](std::int64_t step) { return step == 0 ? 1.0 / 4 : 1.0 / (1 << 16); };
  machine_.cost_seconds = 1.0 / (1 << 25);  // 1/512 of a step
  warm_up_steps(0);
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 16);
  EXPECT_EQ(warmups(), 0U);
  EXPECT_EQ(machine_.steps(), 1 + 16 * static_cast<std::int64_t>(samples()));
  for (const double sample : launch_.samples_seconds) EXPECT_EQ(sample, 1.0 / (1 << 16));
}

// As in the test of the trials below, from 80 to 160 steps a step's time changes by less than 0.2 %. The
// parts are 10, 10, 20, 40, 80 and 160. In half a second, there is room for 10 windows of 40 steps.
TEST_F(WindowSizeTest, WithoutWarmUpTheFirstSampleOfAQueueGrowsButLeavesRoomForTheOthers) {
  use_steps_of(1.0 / 1024);
  machine_.queue = true;
  machine_.synchronize_seconds = 1.0 / 4096;
  warm_up_steps(0);
  for (const auto& [seconds, steps] : {std::pair{100.0, 320}, {0.5, 40}}) {
    spec_.max_time_seconds = seconds;
    measure();
    EXPECT_EQ(launch_.steps_per_sample, steps);
    EXPECT_EQ(warmups(), 0U);
    EXPECT_GE(samples(), 10U);
  }
}

TEST_F(WindowSizeTest, AGrowingSampleHasNoMoreStepsThanAllowed) {
  machine_.cost_seconds = 1;  // no window is long enough
  work_.max_batches = 7;
  warm_up_steps(0);
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 7) << "with the rest, which would be a shorter window";
  EXPECT_EQ(samples(), 1U);
}

// A wait costs a quarter of a step. From k to 2k steps, its share of a step drops from 1/(4k) to 1/(8k). This
// change is below 0.2 % for the first time from 80 to 160 steps.
TEST_F(WindowSizeTest, QueuesGrowUntilTheWaitIsHidden) {
  use_steps_of(1.0 / 1024);
  machine_.queue = true;
  machine_.synchronize_seconds = 1.0 / 4096;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 80);
  EXPECT_EQ(launch_.samples_seconds[0], (80.0 / 1024 + 1.0 / 4096) / 80);
}

// All sizes seem to agree, because a slower step hides the wait. But the wait takes 1 % of ten steps.
TEST_F(WindowSizeTest, QueuesGrowUntilAnIdleWaitIsSmall) {
  use_steps_of(1.0 / 1024);
  machine_.queue = true;
  machine_.synchronize_seconds = 1.0 / 10240;
  spec_.max_noise = 0.5;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 40);
}

TEST_F(WindowSizeTest, QueuesHoldTenStepsAtLeastUnlessThereAreFewer) {
  machine_.queue = true;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 10);
  work_.max_batches = 3;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 3);
  EXPECT_EQ(samples(), 1U);
}

TEST_F(WindowSizeTest, AQueueThatDoesNotFitTheTimeIsCut) {
  use_steps_of(1.0);
  machine_.queue = true;
  spec_.max_time_seconds = 6;
  measure();  // one step of warm-up: five seconds left
  EXPECT_EQ(launch_.steps_per_sample, 5);
  EXPECT_EQ(samples(), 1U);
}

}  // namespace
}  // namespace mpsbench::measure
