#include "measure/step.hpp"

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

Window time_window(Step& step, Timer& timer, std::int64_t steps) {
  timer.synchronize();
  return time_window_from(timer.now_seconds(), step, timer, steps);
}

Window time_window_from(double begin_seconds, Step& step, Timer& timer, std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i) step.run();
  const double queued = timer.now_seconds();
  timer.synchronize();
  const double end = timer.now_seconds();
  return {end - begin_seconds, queued - begin_seconds, end};
}

std::int64_t next_window(std::int64_t steps_per_sample, std::int64_t left) {
  return left < 2 * steps_per_sample ? left : steps_per_sample;
}

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
