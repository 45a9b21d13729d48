#include "supervise/verdict.hpp"

#include "schema/launch_part.hpp"
#include "supervise/worker_ends.hpp"

#include <gtest/gtest.h>

#include <string>

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
  end.stderr_tail =
      "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no more\n";
  EXPECT_EQ(conclude(heard_until(schema::Phase::model), end, kQuiet).failure->message,
            "the worker was killed by SIGABRT in phase model: no more");
  end.stderr_tail = "libgomp: Out of memory allocating 160 bytes\n";
  EXPECT_EQ(conclude(heard_until(schema::Phase::model), end, kQuiet).status, Status::oom);
}

TEST(Conclude, AnOwnFailureGetsItsCure) {
  ReceivedEvents received = heard_until(schema::Phase::model);
  received.failure =
      schema::FailureEvent{Status::failed, {"exception", "Resource temporarily unavailable", ""}};
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
  const std::vector<WorkerEnd> ends{ended(kSegv), ended(0, Stop::timeout), ended(0, Stop::interrupted),
                                    ended(kKilled)};
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
  const schema::Launch launch =
      conclude(heard_until(schema::Phase::measure), ended(15, Stop::timeout), kQuiet);
  EXPECT_EQ(launch.failure->kind, "timeout");
  EXPECT_NE(launch.failure->message.find("in phase measure; raise --timeout"), std::string::npos)
      << launch.failure->message;
}

TEST(Conclude, FillsInTheTimeToLoadOnlyWhenTheWorkerDoesNotKnowIt) {
  ReceivedEvents received = heard_result();
  received.load_seconds = 0.7;
  received.result->setup_seconds = schema::SetupSeconds{};
  EXPECT_EQ(conclude(received, ended(0), kQuiet).setup_seconds->load, 0.7);
  received.result->setup_seconds->load = 0.4;
  EXPECT_EQ(conclude(received, ended(0), kQuiet).setup_seconds->load, 0.4);
}

}  // namespace
}  // namespace mpsbench::supervise
