// A launch on a scripted machine.
#pragma once

#include "measure/fake_machine.hpp"
#include "measure/measure_launch.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace mpsbench::measure {

class LaunchFixture : public testing::Test {
 protected:
  FakeMachine machine_;
  RecordingObserver observer_;
  schema::MeasureSpec spec_;
  WorkAmount work_;
  schema::Launch launch_;

  // Measures anew, with the machine as it is now.
  void measure(bool latency = false, const InputParts* input = nullptr) {
    launch_ = {};
    measure_launch(machine_, machine_, observer_, alone(), spec_, work_, latency, launch_, input);
  }
  void use_steps_of(double seconds) {
    machine_.step_seconds = [seconds](std::int64_t) { return seconds; };
  }
  void warm_up_steps(double steps) { spec_.warmup = {schema::WarmupSpec::Kind::steps, steps}; }

  [[nodiscard]] std::size_t warmups() const { return launch_.warmup_samples_seconds.size(); }
  [[nodiscard]] std::size_t samples() const { return launch_.samples_seconds.size(); }
  static double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
};

}  // namespace mpsbench::measure
