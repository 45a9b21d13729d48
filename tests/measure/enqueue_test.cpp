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

}  // namespace
}  // namespace mpsbench::measure
