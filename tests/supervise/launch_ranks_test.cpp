#include "supervise/launch_runner.hpp"
#include "supervise/support.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <functional>
#include <thread>
#include <variant>

namespace mpsbench::supervise {
namespace {

using schema::Launch;
using schema::Status;

// A launch in which each rank plays a script.
class RunRanks : public testing::Test {
 protected:
  LaunchOutcome run(const std::vector<std::string>& scripts, const WorkerLimits& limits = {60, 60}) {
    std::string rules;
    std::vector<schema::LaunchRequest> ranks;
    for (const std::string& script : scripts) {
      schema::LaunchRequest& request = ranks.emplace_back(tests::request_for(tests::planned_case("net", 8)));
      request.spec.device = schema::DeviceId(schema::DeviceKind::cuda, std::ssize(ranks) - 1);
      rules += (rules.empty() ? "" : ",") + (R"({"case":"/)" + to_string(request.spec.device)) + R"(/","actions":)" +
               script + "}";
    }
    tests::set_script(R"({"rules":[)" + rules + "]}");
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
    std::thread([number = tests::await_pid(folder_ / "pid")] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      ::kill(number, SIGCONT);
    }).detach();
  };
  const Launch launch =
      run({"[\"hello\"," + tests::write_pid(folder_ / "pid") + R"(,{"phase":"warmup"},{"signal":"STOP"},"result"])"},
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
