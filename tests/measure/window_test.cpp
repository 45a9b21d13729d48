#include "measure/window.hpp"

#include "measure/fake_machine.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

TEST(Window, HoldsItsStepsAndTheWaitForThem) {
  FakeMachine machine;
  machine.queue = true;
  machine.synchronize_seconds = 1.0 / 128;
  const Window window = time_window(machine, machine, 4);
  EXPECT_EQ(window.seconds, 4.0 / 64 + 1.0 / 128);
  EXPECT_EQ(window.end_seconds, window.seconds + 1.0 / 128);
  EXPECT_EQ(machine.steps(), 4);
}

TEST(Window, DoesNotPayForWhatWasQueuedBefore) {
  FakeMachine machine;
  machine.queue = true;
  machine.run();
  EXPECT_EQ(time_window(machine, machine, 1).seconds, 1.0 / 64);
}

TEST(Window, TheLastTakesTheRest) {
  EXPECT_EQ(next_window(10, 100), 10);
  EXPECT_EQ(next_window(10, 20), 10);
  EXPECT_EQ(next_window(10, 19), 19);
  EXPECT_EQ(next_window(10, 7), 7);
}

}  // namespace
}  // namespace mpsbench::measure
