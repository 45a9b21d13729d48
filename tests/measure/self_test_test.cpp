#include "measure/self_test.hpp"

#include "measure/fake_machine.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

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
}

TEST_F(SelfTestTest, PassesADeviceWhoseSynchroniseCostsSomething) {
  machine_.synchronize_seconds = 1.0 / 4096;
  EXPECT_TRUE(test().passed);
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
  const schema::SelfTest result = test();
  EXPECT_EQ(result.operations, SelfTestRule::kMostOperations);
}

}  // namespace
}  // namespace mpsbench::measure
