#include "worker/launch.hpp"

#include "nn/script_file.hpp"
#include "support/mnist_files.hpp"
#include "worker/requests.hpp"

#include <gtest/gtest.h>

namespace mpsbench::worker {
namespace {

schema::Launch launched(const schema::LaunchRequest& request) {
  RecordedEvents events;
  return std::get<schema::ResultEvent>(run_launch(request, events)).launch;
}

TEST(RunLaunch, Measures) {
  for (const schema::Mode mode : {schema::Mode::train, schema::Mode::infer}) {
    const schema::Launch launch = launched(small_request(mode));
    EXPECT_EQ(launch.status, schema::Status::ok);
    EXPECT_FALSE(launch.samples_seconds.empty());
  }
}

TEST(RunLaunch, MeasuresBatchesAlone) {
  const tests::Scratch folder;
  tests::write_mnist(folder, 80, 30);
  const schema::Launch launch = launched(mnist_request(schema::Mode::data, folder.root().string()));
  EXPECT_EQ(launch.status, schema::Status::ok);
  EXPECT_FALSE(launch.samples_seconds.empty());
}

TEST(RunLaunch, MeasuresATorchScriptFile) {
  const testing::ScriptFile file;
  schema::LaunchRequest request = small_request(schema::Mode::infer);
  request.network_plan = testing::plan_of_script();
  request.network_plan.target_dtype = "int64";
  request.network_plan.target_high = 3;
  request.network_plan.target_shape = {1};
  request.weights = file.path();
  EXPECT_EQ(launched(request).status, schema::Status::ok);
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

TEST(RunLaunch, MemoryThatRunsOutIsSaid) {
  schema::LaunchRequest request = small_request(schema::Mode::infer);
  request.network_plan.inputs.at(0).shape = {std::int64_t{1} << 50, 8};
  EXPECT_EQ(launched(request).status, schema::Status::oom);
}

}  // namespace
}  // namespace mpsbench::worker
