#include "measure/enqueue.hpp"

#include "measure/launch_fixture.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

using EnqueueTest = LaunchFixture;

TEST_F(EnqueueTest, IsTheHostsShareOfAStep) {
  machine_.queue = true;
  machine_.enqueue_seconds = 1.0 / 1024;
  measure();
  EXPECT_EQ(launch_.enqueue_seconds, 1.0 / 1024);
}

TEST_F(EnqueueTest, IsNoQuestionOnASynchronousDevice) {
  measure();
  EXPECT_EQ(launch_.enqueue_seconds, std::nullopt);
}

TEST_F(EnqueueTest, PreparationComesBeforeAnySampleWhateverTheWarmup) {
  machine_.preparation = 3;
  spec_.warmup = {schema::WarmupSpec::Kind::steps, 0};
  machine_.step_seconds = [](std::int64_t step) { return step < 4 ? 1.0 : 1.0 / 64; };
  measure();
  EXPECT_EQ(warmups(), 3U);
  for (const double seconds : launch_.samples_seconds) EXPECT_EQ(seconds, 1.0 / 64);
}

}  // namespace
}  // namespace mpsbench::measure
