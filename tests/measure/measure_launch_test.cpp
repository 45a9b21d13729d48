#include "measure/measure_launch.hpp"

#include "measure/launch_fixture.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

using MeasureLaunchTest = LaunchFixture;

TEST_F(MeasureLaunchTest, PreparationComesBeforeAnySampleWhateverTheWarmup) {
  machine_.preparation = 3;
  spec_.warmup = {schema::WarmupSpec::Kind::steps, 0};
  machine_.step_seconds = [](std::int64_t step) { return step < 4 ? 1.0 : 1.0 / 64; };
  measure();
  EXPECT_EQ(warmups(), 3U);
  for (const double seconds : launch_.samples_seconds) EXPECT_EQ(seconds, 1.0 / 64);
}

TEST_F(MeasureLaunchTest, AGpusFirstStepTakesNothingOffItsTime) {
  machine_.queue = true;
  machine_.step_seconds = [](std::int64_t step) { return step == 0 ? 8.0 : 1.0 / 64; };
  measure();
  EXPECT_EQ(launch_.first_step_seconds, 8.0);
  EXPECT_EQ(launch_.stopped_by, "max-noise");
  EXPECT_GE(launch_.steps_per_sample, 10);
}

TEST_F(MeasureLaunchTest, ACpusFirstStepIsPartOfItsTime) {
  machine_.step_seconds = [](std::int64_t step) { return step == 0 ? 9.75 : 1.0 / 64; };
  spec_.max_noise = -1;
  measure();
  EXPECT_LE(sum(launch_.samples_seconds), 0.25 + 1.0 / 32);
}

}  // namespace
}  // namespace mpsbench::measure
