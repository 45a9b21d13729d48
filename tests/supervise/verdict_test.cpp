#include "supervise/verdict.hpp"

#include "base/units.hpp"
#include "schema/launch_part.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace mpsbench::supervise {
namespace {

using schema::Phase;
using schema::Status;

std::string hello() {
  return schema::to_line(schema::HelloEvent{});
}
std::string result() {
  return schema::to_line(schema::ResultEvent{});
}

TEST(EventReceiver, PassesOnWhatTheWorkerSays) {
  std::size_t passed = 0;
  EventReceiver session([&](const schema::Event&) { ++passed; });
  EXPECT_TRUE(session.on_line(hello()));
  EXPECT_TRUE(session.on_line(schema::to_line(schema::PhaseEvent{Phase::measure})));
  EXPECT_TRUE(session.on_line(schema::to_line(schema::ProgressEvent{5, 0.1, std::nullopt, std::nullopt})));
  EXPECT_FALSE(session.received().verdict());
  EXPECT_TRUE(session.on_line(result()));
  EXPECT_TRUE(session.received().verdict());
  EXPECT_EQ(session.received().phase, Phase::measure);
  EXPECT_EQ(passed, 4U);
}

TEST(EventReceiver, RefusesWhatIsNotTheProtocol) {
  const std::string garbage = "\x1b[31mgarbage" + std::string(1000, 'x');
  for (const auto& [lines, message] :
       {std::pair{std::vector{result()}, "the worker sent an event before its hello event"},
        {{hello(), hello()}, "the worker sent two hello events"},
        {{hello(), result(), result()}, "the worker sent more events after its last event"},
        {{hello(), schema::to_line(schema::LostEvent{1, "x"})},
         "the worker sent an event that does not answer its request"},
        {{hello(), garbage}, "the worker sent \"?[31mgarbagexxx"},
        {{R"({"event":"hello","protocol":99,"libtorch":{}})"},
         "the worker sent \"{\"event\":\"hello\",\"protocol\":99,"}}) {
    EventReceiver session;
    for (std::size_t i = 0; i < lines.size(); ++i)
      EXPECT_EQ(session.on_line(lines[i]), i + 1 < lines.size()) << lines[i];
    const std::string& error = session.received().protocol_error;
    EXPECT_TRUE(error.starts_with(message)) << error;
    EXPECT_LT(error.size(), 300U);
    EXPECT_EQ(tests::contains(error, "different versions"), tests::contains(message, "99"));
    EXPECT_FALSE(session.reports_success());
  }
}

TEST(EventReceiver, IsContentWithAGoodResultOnly) {
  schema::ResultEvent bad;
  bad.launch.status = Status::failed;
  bad.launch.failure = schema::Failure{"kind", "message", ""};
  const schema::FailureEvent failure{Status::oom, {"oom", "needs 14 GiB", ""}};
  const std::string none;
  for (const std::string& line : {result(), none, schema::to_line(bad), schema::to_line(failure)}) {
    EventReceiver session;
    session.on_line(hello());
    if (!line.empty()) session.on_line(line);
    EXPECT_EQ(session.reports_success(), line == result()) << line;
  }
}

// As wait4() reports them.
constexpr int kExit7 = 7 << 8;
constexpr int kAborted = 6;
constexpr int kKilled = 9;
constexpr int kSegv = 11;
constexpr int kTerminated = 15;

const Circumstances kQuiet{"/bin/worker", 600, false};
const Circumstances kOomKill{"/bin/worker", 600, true};

ReceivedEvents heard_until(Phase phase) {
  ReceivedEvents received;
  received.libtorch = schema::LibtorchInfo{};
  received.phase = phase;
  return received;
}

ReceivedEvents heard_result() {
  ReceivedEvents received = heard_until(Phase::measure);
  received.result = schema::Launch{};
  received.result->samples_seconds = {1, 2, 3};
  return received;
}

WorkerEnd ended(int wait_status, Stop stop = Stop::none, const std::string& stderr_tail = "last words") {
  WorkerEnd end;
  end.wait_status = wait_status;
  end.stop = stop;
  end.stderr_tail = stderr_tail;
  end.peak_resident_bytes = 4096;
  return end;
}

TEST(Conclude, AResultWithACleanEndStands) {
  const schema::Launch launch = conclude(heard_result(), ended(0), kQuiet);
  EXPECT_EQ(launch.status, Status::ok);
  EXPECT_FALSE(launch.failure);
  EXPECT_EQ(launch.samples_seconds.size(), 3U);
  EXPECT_EQ(launch.peak_resident_bytes, 4096);
}

struct Verdict {
  const char* name;
  ReceivedEvents received;
  WorkerEnd end;
  Status status;
  const char* kind;
  std::string message;
  bool oom_kill_seen = false;
};

TEST(Conclude, FollowsFromWhatWasHeardAndTheEnd) {
  const ReceivedEvents warm = heard_until(Phase::warmup);
  const ReceivedEvents measuring = heard_until(Phase::measure);
  const std::string bad_alloc = "terminate called after throwing an instance of 'std::bad_alloc'\n";
  const std::string gpu = "command buffer exited with error status";
  ReceivedEvents own = heard_until(Phase::model);
  own.failure = schema::FailureEvent{Status::oom, {"oom", "needs 14 GiB", "allocator's words"}};
  ReceivedEvents curable = own;
  curable.failure = schema::FailureEvent{Status::failed, {"exception", "Resource temporarily unavailable", ""}};
  const char* host_oom = "out of memory on the host in phase warmup; lower --batch-size";
  const char* killed = "the worker was killed by SIGKILL in phase warmup; the machine may have run out of memory";
  const std::string late =
      "not finished within " + base::format_duration(600) + ", stopped in phase measure; raise --timeout";
  for (const Verdict& one : std::vector<Verdict>{
           {"SIGKILL alone", warm, ended(kKilled), Status::crashed, "signal", killed},
           {"and the kernel's counter", warm, ended(kKilled), Status::oom, "oom",
            "out of memory: the kernel killed the worker in phase warmup", true},
           {"another signal and the counter", warm, ended(kSegv), Status::crashed, "signal",
            "the worker was killed by SIGSEGV in phase warmup", true},
           {"our SIGKILL after a timeout", measuring, ended(kKilled, Stop::timeout), Status::timeout, "timeout", late,
            true},
           {"our SIGKILL after an interrupt", measuring, ended(kKilled, Stop::interrupted), Status::interrupted,
            "interrupted", "stopped by the user in phase measure", true},
           {"bad_alloc that nothing caught", warm, ended(kAborted, Stop::none, bad_alloc), Status::oom, "oom",
            host_oom},
           {"bad_alloc that main caught", warm, ended(5 << 8, Stop::none, bad_alloc), Status::oom, "oom", host_oom},
           {"a fault beside bad_alloc", warm, ended(kSegv, Stop::none, bad_alloc), Status::crashed, "signal",
            "the worker was killed by SIGSEGV in phase warmup: terminate called after throwing an instance of "
            "'std::bad_alloc'"},
           {"libgomp's memory", warm, ended(kAborted, Stop::none, "libgomp: Out of memory allocating 160 bytes\n"),
            Status::oom, "oom", host_oom},
           {"a known reason", warm,
            ended(kExit7, Stop::none, "\nlibgomp: Thread creation failed: Resource temporarily unavailable\n"),
            Status::crashed, "exit",
            "the worker ended with exit code 7 in phase warmup: libgomp: Thread creation failed: Resource "
            "temporarily unavailable; allow more processes and threads (ulimit -u, a container's limit of "
            "pids), or use fewer --threads"},
           {"any words", warm, ended(kExit7, Stop::none, "something else\n"), Status::crashed, "exit",
            "the worker ended with exit code 7 in phase warmup: something else"},
           {"a fault, which is the reason", warm, ended(kSegv, Stop::none, "something else\n"), Status::crashed,
            "signal", "the worker was killed by SIGSEGV in phase warmup"},
           {"an exception", warm,
            ended(kAborted, Stop::none,
                  "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no more\n"),
            Status::crashed, "signal", "the worker was killed by SIGABRT in phase warmup: no more"},
           {"a bad end after a result", heard_result(), ended(kExit7), Status::crashed, "exit",
            "the worker ended with exit code 7 after its last event: last words"},
           {"lost work before a crash", heard_result(), ended(kSegv, Stop::none, gpu), Status::failed, "lost_work",
            "Metal aborted work on the GPU, so its results and times are wrong"},
           {"its own failure", own, ended(kExit7), Status::oom, "oom", "needs 14 GiB"},
           {"its own failure, with a cure", curable, ended(0), Status::failed, "exception",
            "Resource temporarily unavailable; allow more processes and threads (ulimit -u, a container's limit of "
            "pids), or use fewer --threads"},
           {"a result that came too late", heard_result(), ended(kTerminated, Stop::interrupted), Status::interrupted,
            "interrupted", "stopped by the user after its last event"},
           {"a timeout", measuring, ended(kTerminated, Stop::timeout), Status::timeout, "timeout", late}}) {
    const schema::Launch launch = conclude(one.received, one.end, one.oom_kill_seen ? kOomKill : kQuiet);
    EXPECT_EQ(launch.status, one.status) << one.name;
    ASSERT_TRUE(launch.failure) << one.name;
    EXPECT_EQ(launch.failure->kind, one.kind) << one.name;
    EXPECT_EQ(launch.failure->message, one.message) << one.name;
    const bool has_own_words = one.received.failure && !one.received.failure->failure.detail.empty();
    EXPECT_EQ(launch.failure->detail, has_own_words ? "allocator's words" : one.end.stderr_tail) << one.name;
    EXPECT_EQ(launch.samples_seconds.size(), one.received.result ? 3U : 0U) << one.name;
    EXPECT_EQ(launch.peak_resident_bytes, 4096) << one.name;
  }
  EXPECT_EQ(conclude(heard_result(), ended(0, Stop::interrupted), kQuiet).status, Status::ok) << "it came in time";
}

TEST(Conclude, WhatAWorkerSentBeforeItsEndIsKept) {
  ReceivedEvents received = heard_until(Phase::measure);
  received.so_far.samples_seconds = {1, 2, 3};
  Circumstances three = kQuiet;
  three.least_samples = 3;
  Circumstances four = kQuiet;
  four.least_samples = 4;
  for (const WorkerEnd& end : {ended(kSegv), ended(0, Stop::timeout), ended(0, Stop::interrupted), ended(kKilled)}) {
    const schema::Launch launch = conclude(received, end, three);
    EXPECT_EQ(launch.samples_seconds.size(), 3U);
    EXPECT_TRUE(schema::counts(launch));
    EXPECT_FALSE(schema::counts(conclude(received, end, four)));
  }
  const WorkerEnd lost = ended(0, Stop::interrupted, "command buffer exited with error status");
  EXPECT_TRUE(conclude(received, lost, three).samples_seconds.empty()) << "the times are wrong";
}

TEST(Conclude, AVariableOfOpenMpIsToBlameForATimeoutAtTheStartOnly) {
  const tests::ScopedVariable variable("OMP_STACKSIZE", "999G");
  const auto message = [](const ReceivedEvents& received, Stop stop) {
    return conclude(received, ended(kTerminated, stop), kQuiet).failure->message;
  };
  EXPECT_EQ(message({}, Stop::timeout),
            "not finished within " + base::format_duration(kQuiet.timeout_seconds) +
                ", stopped at its start (OMP_STACKSIZE=999G); unset OMP_STACKSIZE, or raise --timeout");
  EXPECT_EQ(message({}, Stop::interrupted), "stopped by the user at its start");
  EXPECT_TRUE(message(heard_until(Phase::measure), Stop::timeout).ends_with("in phase measure; raise --timeout"));
}

TEST(Conclude, FillsInTheTimeToLoadOnlyWhenTheWorkerDoesNotKnowIt) {
  ReceivedEvents received = heard_result();
  received.load_seconds = 0.7;
  received.result->setup_seconds = schema::SetupSeconds{};
  EXPECT_EQ(conclude(received, ended(0), kQuiet).setup_seconds->load, 0.7);
  received.result->setup_seconds->load = 0.4;
  EXPECT_EQ(conclude(received, ended(0), kQuiet).setup_seconds->load, 0.4);
}

RankEnd good(const schema::DeviceId& device) {
  RankEnd rank{device, heard_result(), {}};
  rank.received.result->first_step_seconds = 0.5;
  rank.received.result->peak_device_bytes = 2000;
  rank.end.peak_resident_bytes = 1000;
  return rank;
}

RankEnd bad(const schema::DeviceId& device, int wait_status, double over_seconds, Stop stop = Stop::none) {
  RankEnd rank{device, heard_until(Phase::measure), ended(wait_status, stop, "last words of " + to_string(device))};
  rank.end.over_seconds = over_seconds;
  return rank;
}

TEST(ConcludeGroup, OneProcessHasNoRanks) {
  const schema::Launch launch = conclude_group({bad("cuda:0", kSegv, 1)}, kQuiet);
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
  EXPECT_TRUE(launch.ranks[0].samples_seconds.empty());
  EXPECT_EQ(launch.ranks[1].rank, 1);
  EXPECT_EQ(launch.ranks[1].device, schema::DeviceId("cuda:1"));
  EXPECT_EQ(launch.ranks[1].status, Status::ok);
  EXPECT_EQ(launch.ranks[1].first_step_seconds, 0.75);
  EXPECT_EQ(launch.ranks[1].peak_device_bytes, 2000);
  EXPECT_EQ(launch.ranks[1].samples_seconds, (std::vector{3.5}));
  EXPECT_EQ(launch.ranks[1].compute_step_seconds, 0.25);
}

// Who was stopped for another may have been stopped before the other's end was noticed.
TEST(ConcludeGroup, TheFirstFailureInTimeIsTheGroups) {
  RankEnd done = good("cuda:0");
  done.end.stop = Stop::peer;
  const RankEnd stopped = bad("cuda:0", kKilled, 1, Stop::peer);
  const RankEnd late = bad("cuda:1", kTerminated, 1, Stop::timeout);
  const RankEnd segv = bad("cuda:1", kSegv, 2);
  for (const auto& [ends, status, message, zero] :
       {std::tuple{std::vector{bad("cuda:0", kSegv, 2), bad("cuda:1", kKilled, 1), bad("cuda:2", 15, 3, Stop::peer)},
                   Status::oom, "rank 1: out of memory: the kernel killed the worker in phase measure",
                   Status::crashed},
        {{good("cuda:0"), late, late}, Status::timeout, "rank 1: not finished within", Status::ok},
        {{stopped, segv}, Status::crashed, "rank 1: the worker was killed by SIGSEGV", Status::interrupted},
        {{done, segv}, Status::crashed, "rank 1: the worker was killed by SIGSEGV", Status::ok}}) {
    const schema::Launch launch = conclude_group(ends, kOomKill);
    EXPECT_EQ(launch.status, status) << message;
    EXPECT_TRUE(launch.failure->message.starts_with(message)) << launch.failure->message;
    EXPECT_EQ(launch.failure->detail, "last words of cuda:1");
    EXPECT_EQ(launch.ranks[0].status, zero) << message;
    EXPECT_EQ(launch.samples_seconds.size(), zero == Status::ok ? 3U : 0U) << message;
    if (zero != Status::interrupted) continue;
    EXPECT_EQ(launch.ranks[0].failure->kind, "peer");
    EXPECT_EQ(launch.ranks[0].failure->message, "stopped in phase measure: another rank had failed");
  }
  const schema::Launch quiet = conclude_group({bad("cuda:0", kSegv, 2), bad("cuda:1", kKilled, 1)}, kQuiet);
  EXPECT_EQ(quiet.status, Status::crashed);
  EXPECT_EQ(quiet.ranks[0].failure->message, "the worker was killed by SIGSEGV in phase measure");
  EXPECT_EQ(quiet.ranks[0].failure->detail, "last words of cuda");
}

}  // namespace
}  // namespace mpsbench::supervise
