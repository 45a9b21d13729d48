#include "supervise/verdict.hpp"

#include "base/units.hpp"
#include "schema/launch_part.hpp"
#include "supervise/worker_ends.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mpsbench::supervise {

namespace {

using schema::Status;
using tests::kAborted;
using tests::kExit7;
using tests::kKilled;
using tests::kOomKill;
using tests::kQuiet;
using tests::kSegv;

ReceivedEvents heard_until(schema::Phase phase) {
  ReceivedEvents received;
  received.libtorch = schema::LibtorchInfo{};
  received.phase = phase;
  return received;
}

ReceivedEvents heard_result() {
  ReceivedEvents received = heard_until(schema::Phase::measure);
  received.result = schema::Launch{};
  received.result->samples_seconds = {1, 2, 3};
  return received;
}

WorkerEnd ended(int wait_status, Stop stop = Stop::none) {
  WorkerEnd end;
  end.wait_status = wait_status;
  end.stop = stop;
  end.stderr_tail = "last words";
  end.peak_resident_bytes = 4096;
  return end;
}

TEST(Conclude, AResultWithACleanEndStands) {
  const schema::Launch launch = conclude(heard_result(), ended(0), kQuiet);
  EXPECT_EQ(launch.status, Status::ok);
  EXPECT_FALSE(launch.failure);
  EXPECT_EQ(launch.samples_seconds.size(), 3U);
}

TEST(Conclude, SigkillAloneIsACrashThatMentionsMemory) {
  const schema::Launch launch = conclude(heard_until(schema::Phase::warmup), ended(kKilled), kQuiet);
  EXPECT_EQ(launch.status, Status::crashed);
  EXPECT_EQ(launch.failure->kind, "signal");
  EXPECT_EQ(launch.failure->message,
            "the worker was killed by SIGKILL in phase warmup; the machine may have run out of memory");
  EXPECT_EQ(launch.failure->detail, "last words");
  EXPECT_EQ(launch.peak_resident_bytes, 4096);
}

TEST(Conclude, AnEndByBadAllocIsOutOfMemory) {
  WorkerEnd end = ended(kAborted);
  end.stderr_tail = "terminate called after throwing an instance of 'std::bad_alloc'\n";
  constexpr int kIncomplete = 5 << 8;  // the worker's main function caught it
  for (const int status : {kAborted, kIncomplete}) {
    end.wait_status = status;
    const schema::Launch launch = conclude(heard_until(schema::Phase::warmup), end, kQuiet);
    EXPECT_EQ(launch.status, Status::oom);
    EXPECT_EQ(launch.failure->message, "out of memory on the host in phase warmup; lower --batch-size");
  }
  end.wait_status = kSegv;
  EXPECT_EQ(conclude(heard_until(schema::Phase::warmup), end, kQuiet).status, Status::crashed);
}

TEST(Conclude, TheWorkersLastWordsAreTold) {
  WorkerEnd end = ended(kExit7);
  end.stderr_tail = "\nlibgomp: Thread creation failed: Resource temporarily unavailable\n";
  EXPECT_EQ(conclude(heard_until(schema::Phase::warmup), end, kQuiet).failure->message,
            "the worker ended with exit code 7 in phase warmup: libgomp: Thread creation failed: Resource "
            "temporarily unavailable; allow more processes and threads (ulimit -u, a container's limit of "
            "pids), or "
            "use fewer --threads");
  end.stderr_tail = "something else\n";
  EXPECT_EQ(conclude(heard_until(schema::Phase::warmup), end, kQuiet).failure->message,
            "the worker ended with exit code 7 in phase warmup: something else");
  end.wait_status = kSegv;  // the fault is the reason
  EXPECT_EQ(conclude(heard_until(schema::Phase::warmup), end, kQuiet).failure->message,
            "the worker was killed by SIGSEGV in phase warmup");
  end.wait_status = kAborted;
  end.stderr_tail = "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no more\n";
  EXPECT_EQ(conclude(heard_until(schema::Phase::model), end, kQuiet).failure->message,
            "the worker was killed by SIGABRT in phase model: no more");
  end.stderr_tail = "libgomp: Out of memory allocating 160 bytes\n";
  EXPECT_EQ(conclude(heard_until(schema::Phase::model), end, kQuiet).status, Status::oom);
}

TEST(Conclude, AnOwnFailureGetsItsCure) {
  ReceivedEvents received = heard_until(schema::Phase::model);
  received.failure = schema::FailureEvent{Status::failed, {"exception", "Resource temporarily unavailable", ""}};
  EXPECT_TRUE(conclude(received, ended(0), kQuiet)
                  .failure->message.starts_with("Resource temporarily unavailable; allow more processes"));
}

TEST(Conclude, SigkillWithTheKernelsCounterIsOutOfMemory) {
  const schema::Launch launch = conclude(heard_until(schema::Phase::warmup), ended(kKilled), kOomKill);
  EXPECT_EQ(launch.status, Status::oom);
  EXPECT_EQ(launch.failure->kind, "oom");
}

TEST(Conclude, TheKernelsCounterProvesNothingForAnotherSignal) {
  EXPECT_EQ(conclude(heard_until(schema::Phase::warmup), ended(kSegv), kOomKill).status, Status::crashed);
}

TEST(Conclude, OurOwnSigkillIsNeverOutOfMemory) {
  EXPECT_EQ(conclude(heard_until(schema::Phase::measure), ended(kKilled, Stop::timeout), kOomKill).status,
            Status::timeout);
  EXPECT_EQ(conclude(heard_until(schema::Phase::measure), ended(kKilled, Stop::interrupted), kOomKill).status,
            Status::interrupted);
}

TEST(Conclude, ABadEndAfterAResultKeepsTheSamplesButIsNotOk) {
  const schema::Launch launch = conclude(heard_result(), ended(kExit7), kQuiet);
  EXPECT_EQ(launch.status, Status::crashed);
  EXPECT_EQ(launch.failure->kind, "exit");
  EXPECT_EQ(launch.failure->message, "the worker ended with exit code 7 after its last event: last words");
  EXPECT_EQ(launch.samples_seconds.size(), 3U);
}

TEST(Conclude, WhatAWorkerSentBeforeItsEndIsKept) {
  ReceivedEvents received = heard_until(schema::Phase::measure);
  received.so_far.samples_seconds = {1, 2, 3};
  Circumstances three = kQuiet;
  three.least_samples = 3;
  Circumstances four = kQuiet;
  four.least_samples = 4;
  const std::vector<WorkerEnd> ends{ended(kSegv), ended(0, Stop::timeout), ended(0, Stop::interrupted), ended(kKilled)};
  for (const WorkerEnd& end : ends) {
    const schema::Launch launch = conclude(received, end, three);
    EXPECT_EQ(launch.samples_seconds.size(), 3U);
    EXPECT_TRUE(schema::counts(launch));
    EXPECT_FALSE(schema::counts(conclude(received, end, four)));
  }
  WorkerEnd lost = ended(0, Stop::interrupted);
  lost.stderr_tail = "command buffer exited with error status";
  EXPECT_TRUE(conclude(received, lost, three).samples_seconds.empty()) << "the times are wrong";
}

TEST(Conclude, LostWorkOutranksACrashAfterTheResult) {
  WorkerEnd end = ended(kSegv);
  end.stderr_tail = "command buffer exited with error status";
  EXPECT_EQ(conclude(heard_result(), end, kQuiet).failure.value().kind, "lost_work");
}

TEST(Conclude, TheWorkersOwnFailureOutranksItsEnd) {
  ReceivedEvents received = heard_until(schema::Phase::model);
  received.failure = schema::FailureEvent{Status::oom, {"oom", "needs 14 GiB", "allocator's words"}};
  const schema::Launch launch = conclude(received, ended(kExit7), kQuiet);
  EXPECT_EQ(launch.status, Status::oom);
  EXPECT_EQ(launch.failure->message, "needs 14 GiB");
  EXPECT_EQ(launch.failure->detail, "allocator's words");
}

TEST(Conclude, AResultThatCameInTimeOutlivesAnInterrupt) {
  EXPECT_EQ(conclude(heard_result(), ended(0, Stop::interrupted), kQuiet).status, Status::ok);
  EXPECT_EQ(conclude(heard_result(), ended(15, Stop::interrupted), kQuiet).status, Status::interrupted);
}

TEST(Conclude, TheTimeoutNamesItsOptionAndThePhase) {
  const schema::Launch launch = conclude(heard_until(schema::Phase::measure), ended(15, Stop::timeout), kQuiet);
  EXPECT_EQ(launch.failure->kind, "timeout");
  EXPECT_NE(launch.failure->message.find("in phase measure; raise --timeout"), std::string::npos)
      << launch.failure->message;
}

TEST(Conclude, AVariableOfOpenMpIsToBlameForATimeoutAtTheStartOnly) {
  const tests::ScopedVariable variable("OMP_STACKSIZE", "999G");
  EXPECT_EQ(conclude({}, ended(15, Stop::timeout), kQuiet).failure->message,
            "not finished within " + base::format_duration(kQuiet.timeout_seconds) +
                ", stopped at its start (OMP_STACKSIZE=999G); unset OMP_STACKSIZE, or raise --timeout");
  EXPECT_EQ(conclude({}, ended(15, Stop::interrupted), kQuiet).failure->message, "stopped by the user at its start");
  ReceivedEvents started = heard_until(schema::Phase::measure);
  started.libtorch = schema::LibtorchInfo{};
  EXPECT_TRUE(tests::contains(conclude(started, ended(15, Stop::timeout), kQuiet).failure->message,
                              "in phase measure; raise --timeout"));
}

TEST(Conclude, FillsInTheTimeToLoadOnlyWhenTheWorkerDoesNotKnowIt) {
  ReceivedEvents received = heard_result();
  received.load_seconds = 0.7;
  received.result->setup_seconds = schema::SetupSeconds{};
  EXPECT_EQ(conclude(received, ended(0), kQuiet).setup_seconds->load, 0.7);
  received.result->setup_seconds->load = 0.4;
  EXPECT_EQ(conclude(received, ended(0), kQuiet).setup_seconds->load, 0.4);
}

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
      {ended("cuda:0", kSegv, 2), ended("cuda:1", kKilled, 1), ended("cuda:2", kTerminated, 3, Stop::peer)}, kQuiet);
  EXPECT_EQ(launch.status, Status::crashed);
  EXPECT_EQ(launch.failure->message,
            "rank 1: the worker was killed by SIGKILL in phase measure; the machine may have run out of memory");
  EXPECT_EQ(launch.failure->detail, "last words of cuda:1");
  EXPECT_EQ(launch.ranks[0].failure->message, "the worker was killed by SIGSEGV in phase measure");
  EXPECT_EQ(launch.ranks[0].failure->detail, "last words of cuda");
}

TEST(ConcludeGroup, OfEqualTimesTheLowestRankCounts) {
  const schema::Launch launch = conclude_group(
      {good("cuda:0"), ended("cuda:1", kTerminated, 1, Stop::timeout), ended("cuda:2", kTerminated, 1, Stop::timeout)},
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
