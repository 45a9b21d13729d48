#include "worker/main.hpp"

#include "nn/script_file.hpp"
#include "support/mnist_files.hpp"
#include "worker/requests.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <string>

namespace mpsbench::worker {
namespace {

using schema::DeviceKind;
using schema::DeviceStatus;

template <typename Enum>
std::string reason_of(const std::vector<schema::Offer<Enum>>& offers, Enum value) {
  for (const auto& offer : offers) {
    if (offer.value == value) return offer.reason;
  }
  return "not told";
}

TEST(Probe, SaysWhatTheCpuCanRunAndWhyNotTheRest) {
  const std::vector<DeviceStatus> devices = probe();
  ASSERT_FALSE(devices.empty());
  const DeviceStatus& cpu = devices.front();
  EXPECT_EQ(cpu.device, schema::DeviceId(DeviceKind::cpu));
  EXPECT_TRUE(cpu.usable) << cpu.reason;
  EXPECT_EQ(cpu.unified_memory, true);
  EXPECT_EQ(reason_of(cpu.precisions, schema::Precision::bf16), "");
  EXPECT_EQ(reason_of(cpu.precisions, schema::Precision::tf32),
            "only NVIDIA's GPUs compute in tf32; use --precision fp32 on cpu");
  EXPECT_EQ(reason_of(cpu.engines, schema::Engine::eager), "");
  EXPECT_EQ(reason_of(cpu.engines, schema::Engine::graph),
            "--engine graph replays CUDA graphs, which cpu does not have; use --engine eager");
  for (const schema::DeviceKindRow& row : schema::ClosedSet<DeviceKind>::kRows) {
    const auto is_one = [&](const DeviceStatus& status) { return status.device.kind == row.value; };
    EXPECT_TRUE(std::ranges::any_of(devices, is_one)) << row.name;
  }
}

#ifdef __linux__
TEST(ParentWatch, KnowsAFrontThatASignalHasStopped) {
  const pid_t front = ::fork();
  if (front == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_FALSE(is_front_stopped(front));
  ::kill(front, SIGSTOP);
  int status = 0;
  ::waitpid(front, &status, WUNTRACED);
  EXPECT_TRUE(WIFSTOPPED(status));
  EXPECT_TRUE(is_front_stopped(front));
  ::kill(front, SIGKILL);
  ::waitpid(front, &status, 0);
  EXPECT_FALSE(is_front_stopped(front));
}
#endif

schema::Launch launched(const schema::LaunchRequest& request) {
  RecordedEvents events;
  return run_launch(request, events).launch;
}

schema::LaunchRequest script_request(schema::Mode mode, const tests::ScriptFile& file) {
  schema::LaunchRequest request = small_request(mode);
  request.network_plan = tests::plan_of_script();
  request.network_plan.target_dtype = schema::DType::int64;
  request.network_plan.target_high = 3;
  request.network_plan.target_shape = {1};
  request.weights = file.path();
  return request;
}

TEST(RunLaunch, Measures) {
  for (const schema::Mode mode : {schema::Mode::train, schema::Mode::infer}) {
    const schema::Launch launch = launched(small_request(mode));
    EXPECT_EQ(launch.status, schema::Status::ok);
    EXPECT_FALSE(launch.samples_seconds.empty());
  }
  const tests::Scratch folder;
  tests::write_mnist(folder, 80, 30);
  const schema::Launch launch = launched(mnist_request(schema::Mode::data, folder.root().string()));
  EXPECT_EQ(launch.status, schema::Status::ok);
  EXPECT_FALSE(launch.samples_seconds.empty());
}

TEST(RunLaunch, MeasuresATorchScriptFile) {
  const tests::ScriptFile file;
  EXPECT_EQ(launched(script_request(schema::Mode::infer, file)).status, schema::Status::ok);
}

// An LSTM in a TorchScript file is such a network on CUDA: with gradients it works only in training mode.
TEST(RunLaunch, MeasuresWhatCannotBeCompared) {
  const tests::ScriptFile file(
      "y if self.training or not torch.is_grad_enabled() else torch._triton_scaled_dot_attention(y, y, y)");
  schema::LaunchRequest request = script_request(schema::Mode::train, file);
  request.check_output = true;
  const schema::Launch launch = launched(request);
  ASSERT_EQ(launch.status, schema::Status::ok) << launch.failure->message;
  EXPECT_TRUE(launch.agreement.empty());
  EXPECT_TRUE(launch.sensor_notes.at("agreement").starts_with("Could not run")) << launch.sensor_notes.at("agreement");
}

TEST(RunLaunch, WhatTheDeviceLacksIsUnsupported) {
  schema::LaunchRequest graph = small_request(schema::Mode::train);
  graph.spec.engine = schema::Engine::graph;
  schema::LaunchRequest tf32 = small_request(schema::Mode::train);
  tf32.spec.precision = schema::Precision::tf32;
  for (const schema::LaunchRequest& request : {graph, tf32}) {
    const schema::Launch launch = launched(request);
    EXPECT_EQ(launch.status, schema::Status::unsupported);
    EXPECT_EQ(launch.failure.value().kind, "device");
  }
}

TEST(RunLaunch, AWrongRequestFailsWithWhatWasFoundBefore) {
  schema::LaunchRequest request = small_request(schema::Mode::train);
  request.spec.loss = "steam";
  const schema::Launch launch = launched(request);
  EXPECT_EQ(launch.status, schema::Status::failed);
  EXPECT_EQ(launch.failure.value().kind, "input");
  EXPECT_EQ(launch.failure->message, "unknown loss 'steam'");
  EXPECT_TRUE(launch.backend.contains("autocast"));
}

TEST(RunLaunch, FailsBeforeItMeasuresIfAnythingIsWrong) {
  schema::LaunchRequest request = small_request(schema::Mode::train);
  request.check_output = true;
  request.spec.optimizer.settings["lr"] = std::numeric_limits<double>::infinity();
  const schema::Launch launch = launched(request);
  EXPECT_EQ(launch.status, schema::Status::failed);
  EXPECT_EQ(launch.failure.value().kind, schema::kWrongOutput);
  EXPECT_TRUE(launch.failure->message.starts_with("the update of ")) << launch.failure->message;
  EXPECT_TRUE(launch.samples_seconds.empty());
  EXPECT_EQ(launch.agreement.size(), 4U);
  EXPECT_FALSE(launch.agreement.back().difference);
}

TEST(RunLaunch, MemoryThatRunsOutIsSaid) {
  schema::LaunchRequest request = small_request(schema::Mode::infer);
  request.network_plan.inputs.at(0).shape = {std::int64_t{1} << 50, 8};
  EXPECT_EQ(launched(request).status, schema::Status::oom);
}

}  // namespace
}  // namespace mpsbench::worker
