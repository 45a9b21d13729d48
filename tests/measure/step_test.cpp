#include "measure/step.hpp"

#include "measure/fake_machine.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

TEST(HostTimer, NeverRunsBackwardsAndKnowsItsCost) {
  HostTimer timer;
  const double before = timer.now_seconds();
  timer.synchronize();
  EXPECT_GE(timer.now_seconds(), before);
  EXPECT_GT(timer.clock_cost_seconds(), 0);
  EXPECT_FALSE(timer.asynchronous());
}

TEST(Window, HoldsItsStepsAndTheWaitForThemButNotWhatWasQueuedBefore) {
  FakeMachine machine;
  machine.queue = true;
  machine.run();
  machine.synchronize_seconds = 1.0 / 128;
  const Window window = time_window(machine, machine, 4);
  EXPECT_EQ(window.seconds, 4.0 / 64 + 1.0 / 128);
  EXPECT_EQ(window.end_seconds, 1.0 / 64 + 1.0 / 128 + window.seconds);
  EXPECT_EQ(machine.steps(), 5);
}

TEST(Window, TheLastTakesTheRest) {
  EXPECT_EQ(next_window(10, 100), 10);
  EXPECT_EQ(next_window(10, 20), 10);
  EXPECT_EQ(next_window(10, 19), 19);
  EXPECT_EQ(next_window(10, 7), 7);
}

class SelfTestTest : public testing::Test {
 protected:
  void SetUp() override {
    machine_.queue = true;
    machine_.step_seconds = [](std::int64_t) { return 1.0 / 1024; };
    machine_.enqueue_seconds = 1.0 / (1 << 20);
  }
  schema::SelfTest test() { return test_synchronise(machine_, machine_); }

  FakeMachine machine_;
};

TEST_F(SelfTestTest, PassesADeviceThatWaits) {
  const schema::SelfTest result = test();
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.operations, 8);
  EXPECT_EQ(result.longer_operations, 32);
  EXPECT_NEAR(result.longer_window_seconds / result.window_seconds, 4, 0.01);
  EXPECT_LT(result.residual_seconds, 1e-6);
  machine_.synchronize_seconds = 1.0 / 4096;
  EXPECT_TRUE(test().passed) << "although a synchronise costs something";
}

TEST_F(SelfTestTest, PassesADeviceThatAnotherProgramHoldsUpOnce) {
  machine_.step_seconds = [](std::int64_t step) { return step == 5 ? 0.125 : 1.0 / 1024; };
  const schema::SelfTest result = test();
  EXPECT_TRUE(result.passed);
  EXPECT_LT(result.longer_window_seconds, 0.125);  // the result does not contain the delayed window
}

// The windows still grow, because queueing takes time. Only the wait for the result shows the fault.
TEST_F(SelfTestTest, CatchesASynchroniseThatDoesNotWait) {
  machine_.synchronize_is_broken = true;
  const schema::SelfTest result = test();
  EXPECT_FALSE(result.passed);
  EXPECT_GT(result.residual_seconds, result.longer_window_seconds);
}

TEST_F(SelfTestTest, CatchesWindowsThatDoNotGrow) {
  machine_.step_seconds = [](std::int64_t step) { return step == 0 ? 1.0 / 64 : 0.0; };
  machine_.enqueue_seconds = 0;
  machine_.synchronize_seconds = 1.0 / 128;
  EXPECT_FALSE(test().passed);
}

TEST_F(SelfTestTest, EndsOnADeviceThatTakesNoTime) {
  machine_.step_seconds = [](std::int64_t) { return 0.0; };
  machine_.enqueue_seconds = 0;
  EXPECT_EQ(test().operations, SelfTestRule::kMostOperations);
}

}  // namespace
}  // namespace mpsbench::measure
