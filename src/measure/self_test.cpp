#include "measure/self_test.hpp"

#include "measure/window.hpp"

namespace mpsbench::measure {

namespace {

schema::SelfTest try_synchronise(Step& operation, Timer& timer) {
  schema::SelfTest test;
  test.operations = 1;
  do {
    test.operations *= 2;
    test.window_seconds = time_window(operation, timer, test.operations).seconds;
  } while (test.window_seconds < SelfTestRule::kWindowSeconds && test.operations < SelfTestRule::kMostOperations);
  test.longer_operations = SelfTestRule::kFactor * test.operations;
  const Window longer = time_window(operation, timer, test.longer_operations);
  (void)operation.loss();
  test.longer_window_seconds = longer.seconds;
  test.residual_seconds = timer.now_seconds() - longer.end_seconds;
  test.passed = longer.seconds >= SelfTestRule::kLeastGrowth * test.window_seconds &&
                test.residual_seconds <= SelfTestRule::kMostResidual * longer.seconds;
  return test;
}

}  // namespace

schema::SelfTest test_synchronise(Step& operation, Timer& timer) {
  (void)time_window(operation, timer, 1);  // loads the kernel
  const double retries_end_seconds = timer.now_seconds() + SelfTestRule::kRetrySeconds;
  schema::SelfTest test = try_synchronise(operation, timer);
  for (int tries = 1; !test.passed && (tries < SelfTestRule::kLeastTries || timer.now_seconds() < retries_end_seconds);
       ++tries) {
    test = try_synchronise(operation, timer);
  }
  return test;
}

}  // namespace mpsbench::measure
