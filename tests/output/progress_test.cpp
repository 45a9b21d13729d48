#include "output/console/progress.hpp"

#include "output/text/text.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

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

TEST(TimeLeft, IsTheBudgetUntilLaunchesTellMore) {
  TimeLeft time_left(plan());
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 3 * 10 + 3 * 11);
  EXPECT_DOUBLE_EQ(time_left.seconds("a", 4), 63 - 4) << "the launch under way counts once";
  EXPECT_DOUBLE_EQ(time_left.seconds("a", 400), 63 - 10);
  time_left.finished("a", launch(5));
  // a: two more launches of 6 s. b: like a, a set-up of 1 s and half the budget, plus the cool-down.
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 2 * 6 + 3 * (1 + 1 + 5));
  time_left.finished("b", launch(2));
  EXPECT_DOUBLE_EQ(time_left.seconds("", 0), 2 * 6 + 2 * (1 + 3));
  for (int i = 0; i < 4; ++i) {
    time_left.finished("a", launch(1));
    time_left.finished("b", launch(1));
  }
  time_left.finished("unknown", launch(1));
  EXPECT_DOUBLE_EQ(time_left.seconds("a", 1), 0);
  TimeLeft failed(plan());
  failed.finished("a", tests::bad_launch(schema::Status::crashed, ""));
  EXPECT_DOUBLE_EQ(failed.seconds("", 0), 2 * 10 + 3 * 11) << "it teaches nothing, but is over";
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

class StatusLineTest : public testing::Test {
 protected:
  std::string written_;
  std::size_t width_ = 10;
  StatusLine line_{[this](const std::string& text) { written_ = text; }, [this] { return width_; }};
};

TEST_F(StatusLineTest, ReplacesWhatIsThereAndLeavesTheLastCellFree) {
  line_.clear();
  EXPECT_EQ(written_, "") << "nothing to remove";
  line_.show("compiling");
  EXPECT_EQ(written_, "\rcompiling");
  line_.show("done");
  EXPECT_EQ(written_, "\rdone     ") << "nothing of the longer line is left";
  line_.show("0123456789");
  EXPECT_EQ(written_, "\r01234567…");
  width_ = 5;
  line_.show("abcdef");
  EXPECT_EQ(written_, "\rabc…");
  width_ = 0;
  line_.show("abc");
  EXPECT_EQ(written_, "\r");
  width_ = 10;
  line_.show("öl");
  line_.clear();
  EXPECT_EQ(written_, "\r  \r");
  written_.clear();
  line_.clear();
  EXPECT_EQ(written_, "") << "removed once";
}

using schema::Mode;

class ProgressTest : public testing::Test {
 protected:
  Progress make(Progress::Style style) {
    std::vector<schema::PlannedCase> plan(4);
    for (std::size_t i = 0; i < plan.size(); ++i) {
      plan[i].id = "case" + std::to_string(i);
      plan[i].spec = tests::sample_spec("resnet50", Mode::train, 32);
      plan[i].repeats = 3;
      plan[i].measure.max_time_seconds = 10;
    }
    plan[1].spec.model = "evil\x1b[2J\n";
    plan[1].spec.threads = threads_;
    plan[2].spec.ranks = 4;
    plan[2].spec.threads = 1;
    return {plan, style, [this](const std::string& text) { written_.push_back(text); }, [this] { return now_; },
            [this] { return width_; }};
  }

  std::vector<std::string> written_;
  double now_ = 100;
  std::size_t width_ = 200;
  std::int64_t threads_ = 2;  // of one case; the others have 2
};

TEST_F(ProgressTest, OneLineThatIsOverwritten) {
  Progress progress = make(Progress::Style::line);
  progress.launch_started("case0", 1);
  EXPECT_EQ(written_.back(), "\r[ 1/12] resnet50 train cpu b32 · launch 2/3 · starting · 2 min 0 s left");
  now_ += 5;
  progress.update(schema::PhaseEvent{schema::Phase::warmup});
  EXPECT_EQ(written_.back(), "\r[ 1/12] resnet50 train cpu b32 · launch 2/3 · warming up · 1 min 55 s left");
  now_ += 1;
  progress.update(schema::ProgressEvent{20, 0.1412, 0.008, 2.3});
  const std::string line = "[ 1/12] resnet50 train cpu b32 · launch 2/3 · 141 ms ±0.8 % · loss 2.3 · 1 min 54 s left";
  EXPECT_EQ(written_.back(), "\r" + line);
  progress.clear();
  EXPECT_EQ(written_.back(), "\r" + std::string(display_width(line), ' ') + "\r");
  const std::size_t count = written_.size();
  progress.clear();
  EXPECT_EQ(written_.size(), count);
}

TEST_F(ProgressTest, SaysHowManyProcessesThereAreAndThatAnEstimateIsAbout) {
  Progress progress = make(Progress::Style::line);
  progress.launch_started("case2", 0);
  EXPECT_TRUE(written_.back().starts_with("\r[ 1/12] resnet50 train cpu×4 b32 · launch 1/3 · "));
  progress.expect("case0", 100);
  progress.launch_started("case0", 0);
  EXPECT_TRUE(written_.back().ends_with(" · starting · about 6 min 30 s left")) << written_.back();
}

TEST_F(ProgressTest, WhereMoreLaunchesFollowTheEndIsKnown) {
  Progress progress = make(Progress::Style::plain);
  progress.go_on_until(now_ + 90);
  now_ += 5;
  for (int i = 0; i < 12; ++i) progress.launch_finished("case0", tests::good_launch({0.1}));
  EXPECT_TRUE(written_.back().ends_with(" · up to 1 min 25 s left\n")) << written_.back();
}

TEST_F(ProgressTest, CoversALongerLineAndIsNeverWiderThanTheTerminal) {
  Progress progress = make(Progress::Style::line);
  progress.launch_started("case0", 0);
  progress.update(schema::ProgressEvent{20, 0.1412, 0.008, 2.3});
  const std::size_t longer = display_width(written_.back().substr(1));
  progress.update(schema::ProgressEvent{20, 1, std::nullopt, 2.3});
  EXPECT_EQ(display_width(written_.back().substr(1)), longer);
  width_ = 30;  // the terminal is narrower now
  progress.launch_started("case0", 0);
  EXPECT_EQ(display_width(written_.back().substr(1)), 29U);
  width_ = 0;
  progress.update(schema::PhaseEvent{schema::Phase::measure});
  EXPECT_EQ(written_.back(), "\r");
}

TEST_F(ProgressTest, LinesOfAPlainLog) {
  Progress progress = make(Progress::Style::plain);
  progress.launch_started("case0", 0);
  progress.update(schema::PhaseEvent{schema::Phase::measure});
  progress.update(schema::ProgressEvent{20, 0.1412, 0.008, 2.3});
  EXPECT_TRUE(written_.empty());
  schema::Launch launch = tests::good_launch(std::vector<double>(20, 0.1));
  launch.wall_seconds = 11;  // one second of set-up, then the whole budget
  progress.launch_finished("case0", launch);
  progress.launch_started("case1", 2);
  progress.launch_finished("case1", tests::bad_launch(schema::Status::timeout, "after 600 s\n", 2));
  ASSERT_EQ(written_.size(), 2U);
  EXPECT_EQ(written_[0], "[ 1/12] resnet50 train cpu b32 · launch 1/3 · 100 ms ±0.0 % · 2 min 1 s left\n");
  EXPECT_EQ(written_[1], "[ 2/12] evil?[2J? train cpu b32 · launch 3/3 · timed out (after 600 s?) · 1 min 50 s left\n");
}

TEST_F(ProgressTest, ASkippedLaunchCountsForItsOwnCase) {
  Progress progress = make(Progress::Style::plain);
  progress.launch_started("case0", 0);
  progress.launch_finished("case0", tests::bad_launch(schema::Status::oom, "too large"));
  for (const std::int64_t index : {0, 1, 2}) {
    progress.launch_finished("case1", tests::bad_launch(schema::Status::skipped, "too large", index));
  }
  ASSERT_EQ(written_.size(), 4U);
  EXPECT_EQ(written_[3].substr(0, 56), "[ 4/12] evil?[2J? train cpu b32 · launch 3/3 · skipped") << written_[3];
  EXPECT_NE(written_[3].find("1 min 20 s left"), std::string::npos) << written_[3];
}

TEST_F(ProgressTest, ThreadsAreShownWhereTheyDiffer) {
  threads_ = 3;
  Progress progress = make(Progress::Style::line);
  progress.resume({{"case0", {tests::good_launch({0.1}), tests::good_launch({0.1})}}});
  progress.launch_started("case0", 1);
  EXPECT_TRUE(written_.back().starts_with("\r[ 3/12] resnet50 train cpu b32 t2 · launch 2/3 · ")) << written_.back();
}

TEST_F(ProgressTest, NoneWritesNothing) {
  Progress progress = make(Progress::Style::none);
  progress.launch_started("case0", 0);
  progress.update(schema::ProgressEvent{20, 0.1412, 0.008, 2.3});
  progress.launch_finished("case0", tests::good_launch({0.1}));
  progress.clear();
  EXPECT_TRUE(written_.empty());
}

}  // namespace

}  // namespace mpsbench::output
