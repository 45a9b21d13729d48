// Follows a leak from the process's memory to the flag.
#include "device/device.hpp"
#include "measure/measure_launch.hpp"
#include "measure/progress.hpp"
#include "measure/timer.hpp"
#include "report/metrics/counted_launches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace mpsbench::device {
namespace {

// Leaks 1 MB in each of the first steps.
class LeakingStep final : public measure::Step {
 public:
  explicit LeakingStep(int leaks) : leaks_(leaks) {}

  void run() override {
    if (leaks_-- <= 0) return;
    constexpr std::size_t kBytes = 1'000'000;
    kept_.push_back(std::make_unique<char[]>(kBytes));
    std::fill_n(kept_.back().get(), kBytes, 'x');
  }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  int leaks_;
  std::vector<std::unique_ptr<char[]>> kept_;
};

class MemoryObserver final : public measure::Observer {
 public:
  explicit MemoryObserver(schema::Launch& launch) : log_([this] { return device_.live_bytes(); }, launch.live_bytes) {}
  void on_phase(schema::Phase /*phase*/) override {}
  void on_progress(const schema::ProgressEvent& /*progress*/) override {}
  void on_window(std::int64_t steps) override { log_.after_window(steps); }

 private:
  Device device_ = Device::open("cpu");
  measure::LiveMemoryLog log_;
};

schema::Launch measure_with(int leaks) {
  schema::Launch launch;
  LeakingStep step(leaks);
  measure::HostTimer timer;
  MemoryObserver observer(launch);
  // No interval is narrow enough for this, so every launch runs its hundred steps.
  const schema::MeasureSpec spec{
      .warmup = {schema::WarmupSpec::Kind::steps, 2}, .min_time_seconds = 0, .max_noise = 1e-12};
  measure::WorkAmount work;
  work.max_batches = 100;
  measure::measure_launch(step, timer, observer, measure::alone(), spec, work, false, launch);
  return launch;
}

TEST(LiveMemory, APlantedLeakOfOneMegabyteAStepIsFound) {
  const schema::Launch launch = measure_with(1000);
  ASSERT_GE(launch.live_bytes.size(), 8U);
  EXPECT_TRUE(report::is_leaking(launch));
  EXPECT_NEAR(report::live_bytes_per_step(launch).value(), 1e6, 2e5);
}

TEST(LiveMemory, WhatTheFirstStepsKeepIsNoLeak) {
  const schema::Launch launch = measure_with(20);
  EXPECT_EQ(launch.stopped_by, "max-batches");
  EXPECT_FALSE(report::is_leaking(launch));
}

}  // namespace
}  // namespace mpsbench::device
