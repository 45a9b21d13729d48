#include "measure/window.hpp"

namespace mpsbench::measure {

Window time_window(Step& step, Timer& timer, std::int64_t steps) {
  timer.synchronize();
  const double begin = timer.now_seconds();
  for (std::int64_t i = 0; i < steps; ++i) step.run();
  const double queued = timer.now_seconds();
  timer.synchronize();
  const double end = timer.now_seconds();
  return {end - begin, queued - begin, end};
}

std::int64_t next_window(std::int64_t steps_per_sample, std::int64_t left) {
  return left < 2 * steps_per_sample ? left : steps_per_sample;
}

}  // namespace mpsbench::measure
