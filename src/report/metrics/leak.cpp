#include "report/metrics/leak.hpp"

#include "stats/slope.hpp"

#include <cstddef>
#include <vector>

namespace mpsbench::report {
namespace {

constexpr std::size_t kLeastReadings = 8;

}  // namespace

std::optional<double> live_bytes_per_step(const schema::Launch& launch) {
  const std::size_t count = launch.live_bytes.size();
  if (count < kLeastReadings) return std::nullopt;
  std::vector<double> steps;
  std::vector<double> bytes;
  for (std::size_t i = count / 2; i < count; ++i) {
    steps.push_back(static_cast<double>(launch.live_bytes[i].step));
    bytes.push_back(static_cast<double>(launch.live_bytes[i].bytes));
  }
  return stats::median_slope(steps, bytes);
}

bool is_leaking(const schema::Launch& launch) {
  if (launch.live_bytes.size() < kLeastReadings) return false;
  const std::size_t last = launch.live_bytes.size() - 1;
  const auto at_quarter = [&](std::size_t quarter) { return launch.live_bytes[quarter * last / 4].bytes; };
  for (std::size_t quarter = 1; quarter < 4; ++quarter) {
    if (at_quarter(quarter + 1) - at_quarter(quarter) <= kLeakBytes) return false;
  }
  return true;
}

}  // namespace mpsbench::report
