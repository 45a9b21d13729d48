#include "measure/progress.hpp"

#include "measure/fake_machine.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mpsbench::measure {

namespace {

TEST(LossLog, KeepsTheFirstTwentyThenOneASample) {
  FakeMachine machine;
  machine.step_loss = [](std::int64_t step) { return static_cast<double>(step); };
  std::vector<std::optional<double>> losses;
  LossLog log{losses};
  for (int i = 0; i < 30; ++i) {
    machine.run();
    log.after_warmup(machine, 1);
  }
  EXPECT_EQ(losses.size(), 20U);
  EXPECT_EQ(losses.back(), 19);
  machine.run();
  log.after_sample(machine);
  EXPECT_EQ(losses.size(), 21U);
  EXPECT_EQ(losses.back(), 30);
  EXPECT_EQ(log.last(), 30);
}

TEST(LossLog, WhatIsNotFiniteIsNull) {
  FakeMachine machine;
  machine.step_loss = [](std::int64_t) { return std::numeric_limits<double>::infinity(); };
  std::vector<std::optional<double>> losses;
  LossLog log{losses};
  log.after_sample(machine);
  ASSERT_EQ(losses.size(), 1U);
  EXPECT_FALSE(losses[0]);
}

TEST(LossLog, AModeWithoutLossLeavesNothing) {
  FakeMachine machine;
  std::vector<std::optional<double>> losses;
  LossLog log{losses};
  log.after_warmup(machine, 1);
  log.after_sample(machine);
  EXPECT_TRUE(losses.empty());
}

TEST(ProgressReporter, SpeaksAtMostTwiceASecond) {
  RecordingObserver observer;
  ProgressReporter progress{observer};
  const std::vector<double> samples{1, 2, 3};
  for (int i = 0; i < 64; ++i) progress.report(samples, std::nullopt, i / 32.0);
  EXPECT_EQ(observer.events.size(), 4U);
}

TEST(ProgressReporter, CarriesMedianNoiseAndLoss) {
  RecordingObserver observer;
  ProgressReporter progress{observer};
  progress.report(std::vector<double>{4, 2, 3}, 0.5, 0);
  EXPECT_EQ(observer.events[0].samples, 3);
  EXPECT_EQ(observer.events[0].step_seconds, 3);
  EXPECT_FALSE(observer.events[0].noise);
  EXPECT_EQ(observer.events[0].loss, 0.5);
  progress.report(std::vector<double>(6, 2.0), std::nullopt, 1);
  EXPECT_EQ(observer.events[1].noise, 0);
}

}  // namespace

}  // namespace mpsbench::measure
