#include "nn/script_file.hpp"
#include "support/mnist_files.hpp"
#include "worker/main.hpp"
#include "worker/requests.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mpsbench::worker {
namespace {

schema::Launch launched(const schema::LaunchRequest& request) {
  RecordedEvents events;
  return std::get<schema::ResultEvent>(run_launch(request, events)).launch;
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
  schema::LaunchRequest request = small_request(schema::Mode::train);
  request.spec.engine = schema::Engine::graph;
  const schema::Launch launch = launched(request);
  EXPECT_EQ(launch.status, schema::Status::unsupported);
  EXPECT_EQ(launch.failure.value().kind, "device");
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
