#include "measure/progress.hpp"

#include "measure/fake_machine.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mpsbench::measure {
namespace {

struct LossRig {
  FakeMachine machine;
  std::vector<std::optional<double>> losses;
  LossLog log{losses};
};

TEST(LossLog, KeepsTheFirstTwentyThenOneASample) {
  LossRig rig;
  rig.machine.step_loss = [](std::int64_t step) { return static_cast<double>(step); };
  for (int i = 0; i < 30; ++i) {
    rig.machine.run();
    rig.log.after_warmup(rig.machine, 1);
  }
  EXPECT_EQ(rig.losses.size(), 20U);
  EXPECT_EQ(rig.losses.back(), 19);
  rig.machine.run();
  rig.log.after_sample(rig.machine);
  EXPECT_EQ(rig.losses.size(), 21U);
  EXPECT_EQ(rig.losses.back(), 30);
  EXPECT_EQ(rig.log.last(), 30);
}

TEST(LossLog, WhatIsNotFiniteIsNullAndAModeWithoutLossLeavesNothing) {
  LossRig rig;
  rig.log.after_warmup(rig.machine, 1);
  rig.log.after_sample(rig.machine);
  EXPECT_TRUE(rig.losses.empty());
  rig.machine.step_loss = [](std::int64_t) { return std::numeric_limits<double>::infinity(); };
  rig.log.after_sample(rig.machine);
  EXPECT_EQ(rig.losses, std::vector<std::optional<double>>{std::nullopt});
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

// A log of memory of which 1, 2, 3, ... bytes are in use, or unknown.
struct MemoryRig {
  std::int64_t reads = 0;
  bool is_known = true;
  std::vector<schema::LiveBytes> readings;
  LiveMemoryLog log{[this] { return is_known ? std::optional(++reads) : std::nullopt; }, readings};
};

TEST(LiveMemoryLog, KeepsEveryReadingOfAShortLaunch) {
  MemoryRig rig;
  for (int i = 0; i < 3; ++i) rig.log.after_window(5);
  rig.is_known = false;
  rig.log.after_window(5);
  ASSERT_EQ(rig.readings.size(), 3U);
  EXPECT_EQ(rig.readings[0].step, 5);
  EXPECT_EQ(rig.readings[2].step, 15);
  EXPECT_EQ(rig.readings[2].bytes, 3);
}

TEST(LiveMemoryLog, SpreadsTheReadingsOfALongOneEvenly) {
  MemoryRig rig;
  const std::vector<schema::LiveBytes>& readings = rig.readings;
  constexpr int kWindows = 4000;
  for (int i = 0; i < kWindows; ++i) rig.log.after_window(1);
  ASSERT_GT(readings.size(), LiveMemoryLog::kMost / 2);
  ASSERT_LE(readings.size(), LiveMemoryLog::kMost);
  EXPECT_LT(static_cast<std::size_t>(rig.reads), 7 * LiveMemoryLog::kMost);
  const std::int64_t stride = readings[1].step - readings[0].step;
  for (std::size_t i = 1; i < readings.size(); ++i) EXPECT_EQ(readings[i].step - readings[i - 1].step, stride);
  EXPECT_EQ(readings[0].step, 1);
  EXPECT_GT(readings.back().step, kWindows - 2 * stride);
}

}  // namespace
}  // namespace mpsbench::measure
