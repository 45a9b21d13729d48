#include "output/console/time_left.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mpsbench::output {
namespace {

// Cases "a" and "b" with three launches of at most 10 s each; "b" has a cool-down of 1 s.
std::vector<schema::PlannedCase> plan() {
  std::vector<schema::PlannedCase> cases(2);
  cases[0].id = "a";
  cases[1].id = "b";
  cases[1].cooldown_seconds = 1;
  for (schema::PlannedCase& one : cases) {
    one.repeats = 3;
    one.measure.max_time_seconds = 10;
  }
  return cases;
}

// Returns a launch of one second of set-up and MEASURING seconds after it.
schema::Launch launch(double measuring) {
  schema::Launch launch = tests::good_launch({1});
  launch.wall_seconds = 1 + measuring;
  return launch;
}

TEST(TimeLeft, BudgetsBeforeAnyLaunch) {
  EXPECT_DOUBLE_EQ(TimeLeft(plan()).seconds("", 0), 3 * 10 + 3 * 11);
}

TEST(TimeLeft, WholeEpochsMayTakeUntilTheTimeout) {
  std::vector<schema::PlannedCase> cases = plan();
  cases[0].spec.epochs = 2;
  cases[0].timeout_seconds = 60;
  TimeLeft time_left(cases);
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 3 * 60 + 3 * 11);
  time_left.finished("a", launch(5));
  // The estimate for b includes the set-up of 1 s, but does not depend on the share of the timeout that a
  // used.
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 2 * 6 + 3 * (1 + 1 + 10));
}

TEST(TimeLeft, AnEstimateCountsUntilALaunchOfTheCaseHasEnded) {
  TimeLeft time_left(plan());
  EXPECT_FALSE(time_left.is_rough());
  time_left.expect("b", 100);
  EXPECT_TRUE(time_left.is_rough());
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 3 * 10 + 3 * 101);
  time_left.finished("a", launch(5));  // says nothing about the estimate but the set-up of 1 s
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 2 * 6 + 3 * 102);
  time_left.finished("b", launch(50));
  EXPECT_FALSE(time_left.is_rough());
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 2 * 6 + 2 * 52);
}

TEST(TimeLeft, LearnsFromTheCaseItselfAndFromOthers) {
  TimeLeft time_left(plan());
  time_left.finished("a", launch(5));
  // a: two more launches of 6 s. b: like a, a set-up of 1 s and half the budget, plus the cool-down.
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 2 * 6 + 3 * (1 + 1 + 5));
  time_left.finished("b", launch(2));
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 2 * 6 + 2 * (1 + 3));
}

TEST(TimeLeft, TheLaunchUnderWayCountsOnlyOnce) {
  TimeLeft time_left(plan());
  EXPECT_DOUBLE_EQ(time_left.seconds("a", 4), 63 - 4);
  EXPECT_DOUBLE_EQ(time_left.seconds("a", 400), 63 - 10);
}

TEST(TimeLeft, FailedLaunchesTeachNothingButAreOver) {
  TimeLeft time_left(plan());
  time_left.finished("a", tests::bad_launch(schema::Status::crashed, ""));
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 2 * 10 + 3 * 11);
}

TEST(TimeLeft, NothingLeft) {
  TimeLeft time_left(plan());
  for (int i = 0; i < 4; ++i) {
    time_left.finished("a", launch(1));
    time_left.finished("b", launch(1));
  }
  time_left.finished("unknown", launch(1));
  EXPECT_DOUBLE_EQ(time_left.seconds("a", 1), 0);
}

}  // namespace
}  // namespace mpsbench::output
