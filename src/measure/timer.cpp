#include "measure/timer.hpp"

#include "base/clock.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <array>

namespace mpsbench::measure {

HostTimer::HostTimer() : clock_cost_seconds_(measure_clock_cost_seconds()) {}

double HostTimer::now_seconds() {
  return base::steady_seconds();
}

double measure_clock_cost_seconds() {
  constexpr std::size_t kRounds = 31;
  constexpr int kReadings = 200;
  std::array<double, kRounds> costs{};
  std::array<double, kRounds> ticks{};
  for (std::size_t round = 0; round < kRounds; ++round) {
    const double begin = base::steady_seconds();
    double end = begin;
    for (int i = 0; i < kReadings; ++i) end = base::steady_seconds();
    costs[round] = (end - begin) / kReadings;
    double tick = end;
    while (tick <= end) tick = base::steady_seconds();
    ticks[round] = tick - end;
  }
  return std::max(stats::median_of(costs), *std::min_element(ticks.begin(), ticks.end()));
}

}  // namespace mpsbench::measure
