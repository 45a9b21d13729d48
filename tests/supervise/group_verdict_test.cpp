#include "supervise/group_verdict.hpp"

#include "supervise/worker_ends.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mpsbench::supervise {
namespace {

using schema::Status;
using tests::kKilled;
using tests::kOomKill;
using tests::kQuiet;
using tests::kSegv;
using tests::kTerminated;

RankEnd good(const schema::DeviceId& device) {
  RankEnd rank{device, {}, {}};
  rank.received.libtorch = schema::LibtorchInfo{};
  rank.received.phase = schema::Phase::measure;
  rank.received.result = schema::Launch{};
  rank.received.result->samples_seconds = {1, 2, 3};
  rank.received.result->first_step_seconds = 0.5;
  rank.received.result->peak_device_bytes = 2000;
  rank.end.peak_resident_bytes = 1000;
  return rank;
}

RankEnd ended(const schema::DeviceId& device, int wait_status, double over_seconds, Stop stop = Stop::none) {
  RankEnd rank = good(device);
  rank.received.result.reset();
  rank.end.wait_status = wait_status;
  rank.end.over_seconds = over_seconds;
  rank.end.stop = stop;
  rank.end.stderr_tail = "last words of " + to_string(device);
  return rank;
}

TEST(ConcludeGroup, OneProcessHasNoRanks) {
  const schema::Launch launch = conclude_group({ended("cuda:0", kSegv, 1)}, kQuiet);
  EXPECT_TRUE(launch.ranks.empty());
  EXPECT_EQ(launch.failure->message, "the worker was killed by SIGSEGV in phase measure");
}

TEST(ConcludeGroup, AGoodGroupIsRankZeroAndSaysWhoWasThere) {
  RankEnd other = good("cuda:1");
  other.received.result->samples_seconds = {4};
  other.received.result->first_step_seconds = 0.75;
  schema::RankResult own;
  own.samples_seconds = {3.5};
  own.compute_step_seconds = 0.25;
  other.received.result->ranks = {own};
  const schema::Launch launch = conclude_group({good("cuda:0"), other}, kQuiet);
  EXPECT_EQ(launch.status, Status::ok);
  EXPECT_FALSE(launch.failure);
  EXPECT_EQ(launch.samples_seconds.size(), 3U);
  ASSERT_EQ(launch.ranks.size(), 2U);
  EXPECT_EQ(launch.ranks[0].rank, 0);
  EXPECT_EQ(launch.ranks[0].device, schema::DeviceId("cuda:0"));
  EXPECT_EQ(launch.ranks[0].peak_resident_bytes, 1000);
  EXPECT_EQ(launch.ranks[1].rank, 1);
  EXPECT_EQ(launch.ranks[1].device, schema::DeviceId("cuda:1"));
  EXPECT_EQ(launch.ranks[1].status, Status::ok);
  EXPECT_EQ(launch.ranks[1].first_step_seconds, 0.75);
  EXPECT_EQ(launch.ranks[1].peak_device_bytes, 2000);
  EXPECT_TRUE(launch.ranks[0].samples_seconds.empty());
  EXPECT_EQ(launch.ranks[1].samples_seconds, (std::vector{3.5}));
  EXPECT_EQ(launch.ranks[1].compute_step_seconds, 0.25);
}

TEST(ConcludeGroup, TheFirstFailureInTimeIsTheGroups) {
  const schema::Launch launch = conclude_group(
      {ended("cuda:0", kSegv, 2), ended("cuda:1", kKilled, 1), ended("cuda:2", kTerminated, 3, Stop::peer)},
      kQuiet);
  EXPECT_EQ(launch.status, Status::crashed);
  EXPECT_EQ(
      launch.failure->message,
      "rank 1: the worker was killed by SIGKILL in phase measure; the machine may have run out of memory");
  EXPECT_EQ(launch.failure->detail, "last words of cuda:1");
  EXPECT_EQ(launch.ranks[0].failure->message, "the worker was killed by SIGSEGV in phase measure");
  EXPECT_EQ(launch.ranks[0].failure->detail, "last words of cuda");
}

TEST(ConcludeGroup, OfEqualTimesTheLowestRankCounts) {
  const schema::Launch launch =
      conclude_group({good("cuda:0"), ended("cuda:1", kTerminated, 1, Stop::timeout),
                      ended("cuda:2", kTerminated, 1, Stop::timeout)},
                     kQuiet);
  EXPECT_EQ(launch.status, Status::timeout);
  EXPECT_EQ(launch.failure->message.rfind("rank 1: not finished within", 0), 0U) << launch.failure->message;
  EXPECT_EQ(launch.samples_seconds.size(), 3U);  // rank 0's measurements are kept
}

// This rank may have been stopped before the other's end was noticed.
TEST(ConcludeGroup, WhoWasStoppedForAnotherDidNotFail) {
  const schema::Launch launch =
      conclude_group({ended("cuda:0", kKilled, 1, Stop::peer), ended("cuda:1", kSegv, 2)}, kOomKill);
  EXPECT_EQ(launch.status, Status::crashed);
  EXPECT_EQ(launch.failure->message.rfind("rank 1: ", 0), 0U) << launch.failure->message;
  EXPECT_EQ(launch.ranks[0].status, Status::interrupted);
  EXPECT_EQ(launch.ranks[0].failure->kind, "peer");
  EXPECT_EQ(launch.ranks[0].failure->message, "stopped in phase measure: another rank had failed");
}

TEST(ConcludeGroup, AResultBeforeTheStopStands) {
  RankEnd done = good("cuda:0");
  done.end.stop = Stop::peer;
  const schema::Launch launch = conclude_group({done, ended("cuda:1", kSegv, 2)}, kQuiet);
  EXPECT_EQ(launch.ranks[0].status, Status::ok);
  EXPECT_EQ(launch.status, Status::crashed);
}

TEST(ConcludeGroup, OnlyWhoWasKilledWithTheKernelsCounterRanOutOfMemory) {
  const schema::Launch launch = conclude_group({ended("cpu", kSegv, 2), ended("cpu", kKilled, 1)}, kOomKill);
  EXPECT_EQ(launch.status, Status::oom);
  EXPECT_EQ(launch.failure->message, "rank 1: out of memory: the kernel killed the worker in phase measure");
  EXPECT_EQ(launch.ranks[0].status, Status::crashed);
  EXPECT_EQ(launch.ranks[1].status, Status::oom);
}

}  // namespace
}  // namespace mpsbench::supervise
