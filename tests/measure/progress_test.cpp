#include "measure/progress.hpp"

#include "measure/fake_machine.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

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
