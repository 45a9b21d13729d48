#include "measure/window.hpp"

namespace mpsbench::measure {

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

}  // namespace mpsbench::measure
