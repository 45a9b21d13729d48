#include "supervise/launch_runner.hpp"
#include "supervise/support.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <functional>
#include <thread>
#include <tuple>
#include <variant>

namespace mpsbench::supervise {
namespace {

using schema::Launch;
using schema::Status;

// A launch in which each rank plays a script.
class RunRanks : public testing::Test {
 protected:
  LaunchOutcome run(const std::vector<std::string>& scripts, const WorkerLimits& limits = {60, 60}) {
    std::vector<RankRequest> ranks;
    for (const std::string& script : scripts) {
      schema::LaunchRequest request = tests::request_for(tests::planned_case("net", 8));
      request.spec.device = schema::DeviceId(schema::DeviceKind::cuda, static_cast<std::int64_t>(ranks.size()));
      ranks.push_back({request, {"MPSBENCH_FAKE_SESSION=" + script}});
    }
    LaunchOutcome outcome = run_ranks(setting(limits), ranks);
    EXPECT_LT(outcome.launch.wall_seconds, 10);
    return outcome;
  }

  LaunchSetting setting(const WorkerLimits& limits) {
    const auto on_event = [this](const schema::Event& event) {
      const auto* phase = std::get_if<schema::PhaseEvent>(&event);
      if (phase == nullptr) return;
      phases_.push_back(phase->phase);
      then_();
    };
    return {tests::fake_worker(), limits, interrupt_, on_event, libtorch_version_, {"/nowhere", nvml_}};
  }

  [[nodiscard]] std::string write_pid(const std::string& name) const { return tests::write_pid(folder_ / name); }
  [[nodiscard]] pid_t pid(const std::string& name) const { return tests::await_pid(folder_ / name); }

  tests::Scratch folder_;
  std::string nvml_ = "none";
  std::optional<std::string> libtorch_version_;
  std::vector<schema::Phase> phases_;   // of rank 0
  std::function<void()> then_ = [] {};  // at each
  Interrupt interrupt_;
};

TEST_F(RunRanks, TheRecordIsRankZerosAndNamesThemAll) {
  const LaunchOutcome outcome =
      run({R"(["hello",{"phase":"warmup"},{"phase":"measure"},"result"])", R"(["normal"])", R"(["normal"])"});
  const Launch& launch = outcome.launch;
  EXPECT_EQ(launch.status, Status::ok) << launch.failure->message;
  EXPECT_EQ(outcome.libtorch->version, "2.13.0+fake");
  EXPECT_EQ(launch.samples_seconds.size(), 64U);
  EXPECT_EQ(phases_, (std::vector{schema::Phase::warmup, schema::Phase::measure}));  // only rank 0's
  ASSERT_EQ(launch.ranks.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(launch.ranks[i].rank, static_cast<std::int64_t>(i));
    EXPECT_EQ(launch.ranks[i].device, schema::DeviceId(schema::DeviceKind::cuda, static_cast<std::int64_t>(i)));
    EXPECT_EQ(launch.ranks[i].status, Status::ok);
    EXPECT_EQ(launch.ranks[i].peak_resident_bytes, 208'000'000);  // what the worker sent
  }
}

TEST_F(RunRanks, HaveAGpuOfTheirOwn) {
  const tests::ScopedVariable script("MPSBENCH_FAKE_SESSION", R"(["normal"])");
  schema::LaunchRequest request = tests::request_for(tests::planned_case("net", 8));
  request.spec.ranks = 3;
  const auto devices = [&](const schema::DeviceId& device) {
    request.spec.device = device;
    const Launch launch = run_launch(setting({60, 60}), request).launch;
    EXPECT_EQ(launch.status, Status::ok);
    std::vector<schema::DeviceId> all;
    for (const schema::RankResult& rank : launch.ranks) all.push_back(rank.device);
    return all;
  };
  EXPECT_EQ(devices("cuda"), (std::vector<schema::DeviceId>{"cuda", "cuda:1", "cuda:2"}));
  EXPECT_EQ(devices("cpu"), (std::vector<schema::DeviceId>{"cpu", "cpu", "cpu"}));
}

#ifdef __linux__
TEST_F(RunRanks, TheSensorsOfEachGpuAreRead) {
  const tests::ScopedVariable first("FAKE_NVML", "clock=1500 slowdowns=0");
  const tests::ScopedVariable second("FAKE_NVML_2", "clock=1400 slowdowns=64 energy=2000");
  nvml_ = MPSBENCH_FAKE_NVML;
  const auto script = [](const std::string& gpu) {
    return R"(["hello",{"gpu":")" + gpu + R"("},{"phase":"measure"},{"sleep":1.2},"result"])";
  };
  const Launch launch = run({script("0000:3B:00.0"), script("0000:AF:00.0"), script("none")}).launch;
  EXPECT_EQ(launch.status, Status::ok) << launch.failure->message;
  EXPECT_EQ(sensor_value(launch.sensors, "gpu_clock"), 1.5e9);
  EXPECT_EQ(sensor_value(launch.sensors, "gpu_throttled"), 0);
  EXPECT_TRUE(sensor_value(launch.sensors, "other_cpu_share"));
  EXPECT_TRUE(launch.ranks[0].sensors.empty());
  EXPECT_EQ(launch.ranks[0].device_name, "Fake H200");
  EXPECT_EQ(sensor_value(launch.ranks[1].sensors, "gpu_clock"), 1.4e9);
  EXPECT_EQ(sensor_value(launch.ranks[1].sensors, "gpu_throttled"), 1);
  EXPECT_EQ(sensor_value(launch.ranks[1].sensors, "gpu_energy"), 0);
  EXPECT_EQ(launch.ranks[2].device_name, std::nullopt);
  EXPECT_EQ(launch.ranks[2].sensor_notes.at("gpu_energy"), "NVML finds no GPU at none");
}
#endif

TEST_F(RunRanks, OneCrashesWhileTheOthersHang) {
  const Launch launch =
      run({"[" + write_pid("0") + R"(,"hello",{"phase":"measure"},"hang"])",
           R"(["hello",{"phase":"model"},{"signal":"SEGV"}])", "[" + write_pid("2") + R"(,"grandchild","hang"])"},
          {60, 2})
          .launch;
  EXPECT_EQ(launch.status, Status::crashed);
  EXPECT_EQ(launch.failure->kind, "signal");
  EXPECT_EQ(launch.failure->message, "rank 1: the worker was killed by SIGSEGV in phase model");
  EXPECT_EQ(launch.ranks[0].failure->kind, "peer");
  EXPECT_EQ(launch.ranks[1].failure->message, "the worker was killed by SIGSEGV in phase model");
  EXPECT_EQ(launch.ranks[2].failure->kind, "peer");
}

// The connection of a rank that runs out of memory may be closed before it says so.
TEST_F(RunRanks, OneThatLostAnotherWaitsForTheReason) {
  const std::string lost =
      R"(["hello",{"failure":{"status":"failed","kind":"lost_rank","message":"rank 0 lost rank 1: End of file"}}])";
  const Launch launch =
      run({lost, R"(["hello",{"sleep":0.3},{"failure":{"status":"oom","kind":"oom","message":"no memory"}}])",
           R"(["hello","hang"])"})
          .launch;
  EXPECT_EQ(launch.status, Status::oom);
  EXPECT_EQ(launch.failure->message, "rank 1: no memory");
  EXPECT_EQ(launch.ranks[0].failure->kind, schema::kLostRank);
  EXPECT_EQ(launch.ranks[2].failure->kind, "peer");
  const Launch silent = run({lost, R"(["hello","hang"])"}).launch;
  EXPECT_EQ(silent.failure->message, "rank 0: rank 0 lost rank 1: End of file");
}

TEST_F(RunRanks, OneIsFrozen) {
  const Launch launch = run({R"(["hello","hang"])", R"(["hello",{"phase":"warmup"},{"signal":"STOP"},"hang"])"},
                            {.timeout_seconds = 60, .kill_grace_seconds = 0.5, .frozen_seconds = 1})
                            .launch;
  EXPECT_EQ(launch.status, Status::crashed);
  EXPECT_EQ(launch.failure->message, "rank 1: the worker was stopped by a signal in phase warmup and did not go on");
  EXPECT_EQ(launch.ranks[0].failure->kind, "peer");
}

// A user may look at it, or wait for a calmer machine.
TEST_F(RunRanks, OneAloneMayBeStopped) {
  then_ = [this] {
    std::thread([number = pid("pid")] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      ::kill(number, SIGCONT);
    }).detach();
  };
  const Launch launch = run({"[\"hello\"," + write_pid("pid") + R"(,{"phase":"warmup"},{"signal":"STOP"},"result"])"},
                            {.timeout_seconds = 1, .kill_grace_seconds = 0.5, .frozen_seconds = 0.1})
                            .launch;
  EXPECT_EQ(launch.status, Status::ok);
  EXPECT_EQ(launch.disturbed, schema::Disturbance::stopped);
}

TEST_F(RunRanks, AStopOfOneDisturbsAll) {
  const Launch launch = run({R"(["normal"])", R"([{"pause":0.1},"normal"])"}).launch;
  EXPECT_EQ(launch.status, Status::ok);
  EXPECT_EQ(launch.disturbed, schema::Disturbance::stopped);
}

TEST_F(RunRanks, NothingOfAnyGroupIsLeft) {
  // Rank 1 dies once rank 0 has written that both have started.
  then_ = [this] { ::kill(pid("1"), SIGKILL); };
  const Launch launch =
      run({"[" + write_pid("0") + R"(,"ignore_term","grandchild","hello",{"phase":"measure"},"hang"])",
           R"(["grandchild",)" + write_pid("1") + R"(,"hang"])"},
          {60, 0.1})
          .launch;
  EXPECT_EQ(launch.failure->message.rfind("rank 1: the worker was killed by SIGKILL", 0), 0U)
      << launch.failure->message;
  EXPECT_EQ(launch.ranks[0].failure->message, "stopped in phase measure: another rank had failed");
  EXPECT_TRUE(tests::group_ends(pid("0")));
  EXPECT_TRUE(tests::group_ends(pid("1")));
}

TEST_F(RunRanks, KeepTheirLastWordsApart) {
  const std::string zero = R"({"flood":{"stream":"stderr","text":"zero","count":1}},"hello",{"phase":"model"})";
  const std::string one = R"({"flood":{"stream":"stderr","text":"one","count":1}},)" + write_pid("1");
  then_ = [this] { ::kill(pid("1"), SIGABRT); };
  const Launch launch = run({"[" + zero + R"(,"hang"])", "[" + one + R"(,"hang"])"}).launch;
  EXPECT_EQ(launch.failure->message, "rank 1: the worker was killed by SIGABRT at its start: one");
  EXPECT_EQ(launch.failure->detail, "one");
  EXPECT_EQ(launch.ranks[1].failure->detail, "one");
  EXPECT_EQ(launch.ranks[0].failure->detail, "zero");
}

TEST_F(RunRanks, TheFailureOfOneIsThatOfAllAndStopsTheOthers) {
  for (const auto& [script, status, kind, message] :
       {std::tuple{R"(["hello",{"line":"Segfault? no"},"hang"])", Status::crashed, "protocol",
                   "rank 1: the worker sent \"Segfault? no\""},
        {R"(["hello",{"phase":"data"}])", Status::crashed, "protocol",
         "rank 1: the worker ended without a result in phase data"},
        {R"(["hello",{"failure":{"status":"oom","kind":"oom","message":"needs 14 GiB, 9 free"}}])", Status::oom, "oom",
         "rank 1: needs 14 GiB, 9 free"}}) {
    const Launch launch = run({R"(["hang"])", script}).launch;
    EXPECT_EQ(launch.status, status);
    EXPECT_EQ(launch.failure->kind, kind);
    EXPECT_TRUE(launch.failure->message.starts_with(message)) << launch.failure->message;
    EXPECT_EQ(launch.ranks[0].status, Status::interrupted);
    EXPECT_EQ(launch.ranks[1].status, status);
  }
}

TEST_F(RunRanks, TheTimeoutIsOfAll) {
  const Launch launch = run({R"(["normal"])", R"(["hello",{"phase":"measure"},"hang"])"}, {2, 60}).launch;
  EXPECT_EQ(launch.status, Status::timeout);
  EXPECT_EQ(launch.failure->message, "rank 1: not finished within 2.00 s, stopped in phase measure; raise --timeout");
  EXPECT_EQ(launch.ranks[0].status, Status::ok);
  EXPECT_EQ(launch.samples_seconds.size(), 64U);  // of the rank that had finished
}

TEST_F(RunRanks, AnInterruptIsForAll) {
  then_ = [] { ::raise(SIGINT); };
  const Launch launch = run({R"(["hello",{"phase":"measure"},"hang"])", R"(["hang"])"}).launch;
  EXPECT_EQ(launch.status, Status::interrupted);
  EXPECT_EQ(launch.failure->message, "rank 0: stopped by the user in phase measure");
  EXPECT_EQ(launch.ranks[1].failure->kind, "interrupted");
}

TEST_F(RunRanks, EachMustHaveTheLibtorchAskedFor) {
  libtorch_version_ = "2.13.0";
  const Launch launch =
      run({R"([{"hello":{"libtorch":"2.13.0"}},"hang"])", R"([{"hello":{"libtorch":"2.9.0"}},"hang"])"}).launch;
  EXPECT_EQ(launch.failure->message, "rank 1: the worker has LibTorch 2.9.0, but this run uses 2.13.0");
}

TEST(RequestInGroup, AsksForMoreThanTimesOnlyOfRankZero) {
  schema::LaunchRequest all = tests::request_for(tests::planned_case("net", 8));
  all.group = {.ranks = 4, .address = "node1", .port = 4321, .prefix = "run/launch/1"};
  all.check_output = all.check_engine = all.report_losses = true;
  all.dump_first_step = "/d.safetensors";
  const schema::LaunchRequest zero = request_in_group(all, 0, "cpu");
  EXPECT_EQ(zero.group->rank, 0);
  EXPECT_TRUE(zero.check_output && zero.check_engine && zero.report_losses && zero.dump_first_step);
  const schema::LaunchRequest third = request_in_group(all, 3, "cuda:1");
  EXPECT_EQ(third.group->rank, 3);
  EXPECT_EQ(third.group->prefix, "run/launch/1");
  EXPECT_FALSE(third.check_output || third.check_engine || third.report_losses || third.dump_first_step);
  EXPECT_EQ(third.spec.device, schema::DeviceId("cuda:1"));
}

}  // namespace
}  // namespace mpsbench::supervise
