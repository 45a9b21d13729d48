#include "report/metrics/leak.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace mpsbench::report {
namespace {

constexpr double kMega = 1e6;

// Returns a launch with READINGS readings, one after each window of STEPS steps. BYTES maps a step to its
// bytes.
schema::Launch launch_of(std::size_t readings, std::int64_t steps,
                         const std::function<double(double)>& bytes) {
  schema::Launch launch;
  for (std::size_t i = 1; i <= readings; ++i) {
    const std::int64_t step = static_cast<std::int64_t>(i) * steps;
    launch.live_bytes.push_back({step, std::llround(bytes(static_cast<double>(step)))});
  }
  return launch;
}

TEST(Leak, AMegabyteAStepIsFound) {
  for (const std::size_t readings : {10U, 64U}) {
    for (const std::int64_t steps : {1, 10}) {
      const auto launch = launch_of(readings, steps, [](double step) { return 5e8 + kMega * step; });
      EXPECT_TRUE(is_leaking(launch)) << readings << " readings of " << steps;
      EXPECT_NEAR(live_bytes_per_step(launch).value(), kMega, 1);
    }
  }
}

TEST(Leak, ASlowOneIsFoundWhenThereAreStepsEnough) {
  const auto leak = [](double step) { return 5e8 + 4096 * step; };
  EXPECT_FALSE(is_leaking(launch_of(64, 10, leak)));
  EXPECT_TRUE(is_leaking(launch_of(64, 100, leak)));
}

TEST(Leak, AWarmingAllocatorIsNone) {
  for (const double steps_to_warm : {5.0, 15.0, 30.0}) {
    const auto launch =
        launch_of(64, 1, [&](double step) { return 5e8 + 1e8 * (1 - std::exp(-step / steps_to_warm * 5)); });
    EXPECT_FALSE(is_leaking(launch)) << steps_to_warm;
  }
  EXPECT_FALSE(is_leaking(launch_of(64, 1, [](double step) { return step < 40 ? kMega * step : 4e7; })));
}

TEST(Leak, UnsteadyMemoryIsNone) {
  const auto saw = launch_of(64, 1, [](double step) { return 5e8 + 3e7 * std::fmod(step, 7); });
  EXPECT_FALSE(is_leaking(saw));
  EXPECT_LT(std::abs(live_bytes_per_step(saw).value()), kMega);
}

TEST(Leak, AFewReadingsTellNothing) {
  const auto launch = launch_of(7, 1, [](double step) { return 1e8 * step; });
  EXPECT_FALSE(is_leaking(launch));
  EXPECT_EQ(live_bytes_per_step(launch), std::nullopt);
}

}  // namespace
}  // namespace mpsbench::report
