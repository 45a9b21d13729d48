#include "supervise/launch_runner.hpp"

#include "base/error.hpp"
#include "supervise/support.hpp"
#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpsbench::supervise {
namespace {

using schema::Launch;
using schema::Status;
using tests::play;

struct Scripted {
  const char* name;
  const char* script;
  Status status;
  const char* kind;     // of the failure; empty if there is none
  const char* message;  // part of the failure's message
  double timeout_seconds = 20;
};

const Scripted kScripts[] = {
    {"normal", R"(["normal"])", Status::ok, "", ""},
    {"crash_after_hello", R"(["hello",{"signal":"ABRT"}])", Status::crashed, "signal",
     "the worker was killed by SIGABRT before its first phase"},
    {"crash_in_measure", R"(["hello",{"phase":"measure"},{"progress":3},{"signal":"ABRT"}])", Status::crashed, "signal",
     "by SIGABRT in phase measure"},
    {"sigkill", R"(["hello",{"phase":"warmup"},{"signal":"KILL"}])", Status::crashed, "signal",
     "by SIGKILL in phase warmup; the machine may have run out of memory"},
    {"no_word", "[]", Status::crashed, "protocol", "ended without sending an event"},
    {"no_result", R"(["hello",{"phase":"data"}])", Status::crashed, "protocol", "without a result in phase data"},
    {"garbage", R"(["hello",{"line":"Segfault? no"},"hang"])", Status::crashed, "protocol",
     "the worker sent \"Segfault? no\": "},
    {"half_line", R"(["hello",{"raw":"{\"event\":\"res"}])", Status::crashed, "protocol",
     "ended in the middle of an event"},
    {"closed_events", R"(["hello","close_events"])", Status::crashed, "protocol", "ended without a result"},
    {"hang", R"(["hello",{"phase":"measure"},"hang"])", Status::timeout, "timeout",
     "not finished within 1.00 s, stopped in phase measure; raise --timeout", 1},
    {"hang_after_closing_events", R"(["hello","close_events","hang"])", Status::timeout, "timeout", "", 0.2},
    {"hang_that_ignores_sigterm", R"(["ignore_term","hello","hang"])", Status::timeout, "timeout", "", 0.2},
    {"endless_progress",
     R"(["hello",{"flood":{"stream":"events","count":100000000,"text":"{\"event\":\"phase\",\"phase\":\"data\"}\n"}}])",
     Status::timeout, "timeout", "", 0.2},
    {"endless_chatter", R"(["hello",{"flood":{"stream":"stderr","text":"blah blah\n","count":100000000}}])",
     Status::timeout, "timeout", "", 0.2},
    {"says_unsupported", R"(["hello",{"failure":{"status":"unsupported","kind":"precision","message":"no bf16"}}])",
     Status::unsupported, "precision", "no bf16"},
    {"metal_gave_up",
     R"(["hello",{"flood":{"stream":"stderr","count":1,"text":"Error: command buffer exited with error status.\n\tInternal Error (0000000e:Internal Error)\n"}},"result"])",
     Status::failed, "lost_work", "Metal aborted work on the GPU"},
    {"metal_ran_out_of_memory",
     R"(["hello",{"flood":{"stream":"stderr","count":1,"text":"Error: command buffer exited with error status.\n\tInsufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)\n"}},"result"])",
     Status::oom, "oom", "Metal aborted work on the GPU; lower --batch-size"},
    {"says_failed", R"(["hello",{"result":{"status":"failed"}}])", Status::failed, "scripted", "as the script says"}};

TEST(ScriptedLaunch, GetsItsStatusKindAndMessage) {
  for (const Scripted& one : kScripts) {
    SCOPED_TRACE(one.name);
    const Launch launch = play(one.script, {one.timeout_seconds, 0.1}).launch;
    EXPECT_EQ(to_string(launch.status), to_string(one.status));
    ASSERT_EQ(launch.failure.has_value(), *one.kind != '\0');
    if (!launch.failure) continue;
    EXPECT_EQ(launch.failure->kind, one.kind);
    EXPECT_TRUE(tests::contains(launch.failure->message, one.message)) << launch.failure->message;
    EXPECT_EQ(launch.failure->message.find('\n'), std::string::npos);
  }
}

TEST(RunLaunch, FillsInWhatTheFrontKnows) {
  const LaunchOutcome outcome = play(R"([{"sleep":0.25},"normal"])");
  EXPECT_EQ(outcome.libtorch->version, "2.13.0+fake");
  EXPECT_EQ(outcome.launch.started_at.size(), 20U);
  EXPECT_GE(outcome.launch.wall_seconds, 0.25);
#ifdef __linux__
  EXPECT_EQ(outcome.launch.sensors.size(),
            1U);  // on macOS the sensors are not files, so the test cannot replace them
#endif
  EXPECT_TRUE(sensor_value(outcome.launch.sensors, "other_cpu_share"));
  EXPECT_EQ(outcome.launch.samples_seconds.size(), 64U);
  EXPECT_EQ(outcome.launch.peak_resident_bytes, 208'000'000);  // what the worker sent
}

#ifdef __linux__
TEST(RunLaunch, ReadsTheSensorsOfItsMachineAndGpu) {
  const tests::RecordedTree tree;
  const std::string zone = "sys/class/powercap/intel-rapl:0/";
  tree.add(zone + "name", "package-0\n");
  tree.add(zone + "max_energy_range_uj", "262143328850\n");
  tree.add(zone + "energy_uj", "2000000\n");
  const tests::ScopedVariable nvml("FAKE_NVML", "utilization=63 processes=1 clock=1500");
  const Launch launch = play(R"(["hello",{"phase":"device"},{"gpu":"0000:3B:00.0"},{"phase":"warmup"},
      {"phase":"measure"},{"sleep":1.2},"result"])",
                             {20, 0.2}, [](const schema::Event&) {}, {tree.root(), MPSBENCH_FAKE_NVML})
                            .launch;
  EXPECT_EQ(launch.status, Status::ok);
  EXPECT_EQ(sensor_value(launch.sensors, "cpu_energy"), 0);
  EXPECT_EQ(sensor_value(launch.sensors, "gpu_clock"), 1.5e9);
  EXPECT_EQ(sensor_value(launch.sensors, "gpu_other_utilization"), 0.63);
  EXPECT_EQ(sensor_value(launch.sensors, "gpu_other_processes"), 1);
  EXPECT_TRUE(sensor_value(launch.sensors, "other_cpu_share"));
  EXPECT_TRUE(launch.sensor_notes.contains("gpu_energy"));
  EXPECT_TRUE(launch.sensor_notes.contains("cpu_clock"));
}
#endif

TEST(RunLaunch, KeepsTheEndOfWhatADeadWorkerPrinted) {
  const Launch launch = play(R"([{"flood":{"stream":"stdout","text":"first words\n","count":1}},
      {"flood":{"stream":"stderr","text":"0123456789abcdef","count":40000}},
      {"flood":{"stream":"stdout","text":"last words","count":1}}, {"signal":"ABRT"}])")
                            .launch;
  EXPECT_EQ(launch.failure->detail.size(), 8192U);
  EXPECT_EQ(launch.failure->detail.substr(8192 - 16), "abcdeflast words");
  EXPECT_GT(launch.peak_resident_bytes.value(), 100'000);
}

TEST(RunLaunch, AMissingWorkerIsAFailureToSpawn) {
  Interrupt interrupt;
  const Launch launch =
      run_launch({"/nowhere/worker", {5, 1}, interrupt}, tests::request_for(tests::planned_case("net", 8))).launch;
  EXPECT_EQ(launch.status, Status::crashed);
  EXPECT_EQ(launch.failure->kind, "spawn");
  EXPECT_EQ(launch.failure->message, "cannot start /nowhere/worker: No such file or directory");
}

TEST(Probe, SaysWhichDevicesAreUsable) {
  tests::set_script(R"(["hang"])");  // applies only to launches, so the probe answers
  const ProbeOutcome outcome = probe(tests::fake_worker());
  ASSERT_EQ(outcome.devices.size(), 3U);
  EXPECT_EQ(outcome.devices[0].device, schema::DeviceId("cpu"));
  EXPECT_TRUE(outcome.devices[0].usable);
  EXPECT_EQ(outcome.devices[2].device, schema::DeviceId("mps"));
  EXPECT_NE(outcome.devices[2].reason, "");
  EXPECT_EQ(outcome.libtorch.version, "2.13.0+fake");
}

TEST(Probe, ABrokenWorkerIsAnErrorWithItsLastWords) {
  tests::set_script(R"({"rules":[{"case":"probe","actions":[
      {"flood":{"stream":"stderr","text":"noise\n","count":9}},
      {"flood":{"stream":"stderr","text":"libtorch.so: not found\n \n","count":1}},{"exit":127}]}]})");
  EXPECT_EQ(tests::error_of(base::ErrorKind::no_device, [] { (void)probe(tests::fake_worker()); }),
            "the worker cannot report which devices are usable: the worker ended with exit code 127 at its start: "
            "libtorch.so: not found");
  tests::set_script(R"({"rules":[{"case":"probe","actions":["hello",{"line":"x"}]}]})");
  EXPECT_THROW((void)probe(tests::fake_worker()), base::Error);
}

TEST(DisturbedLaunch, IsOneThatWasStopped) {
  EXPECT_EQ(play(R"([{"pause":0.1},"normal"])").launch.disturbed, schema::Disturbance::stopped);
  EXPECT_EQ(play(R"(["normal"])").launch.disturbed, std::nullopt) << "too short for a share of the CPU";
}

// Another process takes a CPU during the launch.
TEST(DisturbedLaunch, IsOneBesideOtherProcesses) {
  const pid_t load = ::fork();
  if (load == 0) {
    for (;;) {
    }
  }
  const Launch launch = play(R"([{"sleep":0.5},"normal"])").launch;
  ::kill(load, SIGKILL);
  ::waitpid(load, nullptr, 0);
  const auto share = schema::sensor_value(launch.sensors, schema::sensor::kOtherCpuShare);
  ASSERT_TRUE(share);
  EXPECT_EQ(launch.disturbed.has_value(), *share > schema::kBackgroundCpuShare) << *share;
}

TEST(LaunchSensors, HaveTheDistanceOfCpusOnlyWithSeveralThreads) {
  const auto distance = [](std::int64_t threads) {
    schema::PlannedCase planned = tests::planned_case("net", 8);
    planned.spec.threads = threads;
    tests::set_script("");
    Interrupt interrupt;
    const Launch launch = run_launch({tests::fake_worker(), {20, 0.2}, interrupt}, tests::request_for(planned)).launch;
    return schema::sensor_value(launch.sensors, schema::sensor::kCpuDistance);
  };
  EXPECT_FALSE(distance(1));
  EXPECT_LT(distance(2).value_or(0), 1e-3);  // null with one CPU
}

}  // namespace
}  // namespace mpsbench::supervise
