// Tests the waiting times that next() reports, with a clock that only the tests advance.
#include "input/pipeline/fake_source.hpp"
#include "input/pipeline/loader.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

namespace mpsbench::pipeline {
namespace {

// A clock that the source and the test advance.
struct FakeClock {
  std::atomic<int> seconds = 0;
  std::atomic<int> readings = 0;
  std::function<double()> reader() {
    return [this] {
      const double now_seconds = seconds;
      ++readings;
      readings.notify_all();
      return now_seconds;
    };
  }
};

TEST(LoaderWaiting, WithoutWorkersTheCallerWaitsForAllOfTheReading) {
  FakeSource source(8);
  FakeClock clock;
  source.on_read = [&](std::int64_t) { ++clock.seconds; };
  BatchLoader loader(source, {}, {.rows = {0, 8}, .batch_size = 4}, {.workers = 0, .now_seconds = clock.reader()});
  loader.begin_epoch(0);
  EXPECT_EQ(loader.next().value().waited_seconds, 4);
  EXPECT_EQ(loader.next().value().waited_seconds, 4);
}

TEST(LoaderWaiting, ASlowSourceShowsAsWaiting) {
  FakeSource source(4);
  FakeClock clock;
  Gate gate;
  source.on_read = [&](std::int64_t) { gate.wait(); };
  BatchLoader loader(source, {}, {.rows = {0, 4}, .batch_size = 4}, {.workers = 1, .now_seconds = clock.reader()});
  loader.begin_epoch(0);
  std::thread disk([&] {
    clock.readings.wait(0);  // the caller is now waiting for its batch
    clock.seconds = 5;
    gate.open();
  });
  EXPECT_EQ(loader.next().value().waited_seconds, 5);
  disk.join();
}

TEST(LoaderWaiting, BatchesMadeAheadAreNotWaitedFor) {
  FakeSource source(12);
  FakeClock clock;
  Gate third_batch;
  source.on_read = [&](std::int64_t row) {
    ++clock.seconds;
    if (row == 11) third_batch.open();
  };
  BatchLoader loader(source, {}, {.rows = {0, 12}, .batch_size = 4},
                     {.workers = 1, .prefetch = 2, .now_seconds = clock.reader()});
  loader.begin_epoch(0);
  third_batch.wait();  // then the two before it are finished
  EXPECT_EQ(clock.seconds, 12);
  EXPECT_EQ(loader.next().value().waited_seconds, 0);
  EXPECT_EQ(loader.next().value().waited_seconds, 0);
}

}  // namespace
}  // namespace mpsbench::pipeline
