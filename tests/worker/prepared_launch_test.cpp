#include "worker/prepared_launch.hpp"

#include "model/training.hpp"
#include "support/mnist_files.hpp"
#include "worker/requests.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>

namespace mpsbench::worker {
namespace {

class PreparationTest : public ::testing::Test {
 protected:
  std::unique_ptr<PreparedLaunch> made() { return prepare(request_, events_, launch_); }

  schema::LaunchRequest request_ = small_request(schema::Mode::train);
  RecordedEvents events_;
  schema::Launch launch_;
};

TEST_F(PreparationTest, GoesThroughItsPhasesAndTimesThem) {
  const auto prepared = made();
  EXPECT_EQ(events_.phases, (std::vector{schema::Phase::device, schema::Phase::model, schema::Phase::data}));
  ASSERT_TRUE(launch_.setup_seconds);
  EXPECT_GT(launch_.setup_seconds->model, 0);
  EXPECT_EQ(launch_.backend.at("autocast"), "off");
  EXPECT_FALSE(launch_.self_test);  // the CPU is not asynchronous
  EXPECT_EQ(prepared->feed, nullptr);
}

TEST_F(PreparationTest, OfTrainingHasAStepThatLearns) {
  const auto prepared = made();
  EXPECT_TRUE(prepared->model->training());
  prepared->step->run();
  const double first = prepared->step->loss().value();
  for (int i = 0; i < 50; ++i) prepared->step->run();
  EXPECT_LT(prepared->step->loss().value(), first);
}

TEST_F(PreparationTest, OfInferenceWantsNoGradients) {
  request_ = small_request(schema::Mode::infer);
  const auto prepared = made();
  EXPECT_FALSE(prepared->model->training());
  for (const nn::NamedTensor& one : prepared->model->parameters().all())
    EXPECT_FALSE(one.tensor.requires_grad()) << one.name;
  prepared->step->run();
  EXPECT_FALSE(prepared->step->loss());
}

TEST_F(PreparationTest, OfTheNotebooksForwardWantsThem) {
  request_ = small_request(schema::Mode::infer);
  request_.spec.as_published = true;
  const auto prepared = made();
  EXPECT_TRUE(prepared->model->parameters().all().front().tensor.requires_grad());
}

TEST_F(PreparationTest, OfADataSetHasAFeed) {
  const tests::Scratch folder;
  tests::write_mnist(folder, 40, 30);
  request_ = mnist_request(schema::Mode::infer, folder.root().string());
  const auto prepared = made();
  ASSERT_NE(prepared->feed, nullptr);
  prepared->feed->run();
  EXPECT_TRUE(prepared->batch.target.equal(at::arange(8)));
}

TEST_F(PreparationTest, ReordersWeightsAndImages) {
  request_.network_plan = tests::plan_of(
      tests::image_input(3, 8),
      nlohmann::json::array(
          {{{"type", "conv2d"}, {"name", "c"}, {"out_channels", 4}, {"kernel_size", 3}}, {{"type", "flatten"}}}),
      4);
  request_.spec.channels_last = true;
  const auto prepared = made();
  const auto order = at::MemoryFormat::ChannelsLast;
  EXPECT_TRUE(prepared->model->parameters().all().front().tensor.is_contiguous(order));
  EXPECT_TRUE(prepared->batch.inputs.front().is_contiguous(order));
}

class PreparedLaunchTest : public ::testing::Test {
 protected:
  void measure(const schema::LaunchRequest& request) { prepare(request, events_, launch_)->measure(events_, launch_); }

  RecordedEvents events_;
  schema::Launch launch_;
};

TEST_F(PreparedLaunchTest, FillsTheRecord) {
  measure(small_request(schema::Mode::train));
  EXPECT_EQ(launch_.stopped_by, "iterations");
  EXPECT_FALSE(launch_.samples_seconds.empty());
  EXPECT_FALSE(launch_.losses.empty());
  EXPECT_TRUE(launch_.peak_resident_bytes);
  EXPECT_FALSE(launch_.peak_device_bytes);
  EXPECT_FALSE(launch_.input_times);
  launch_ = {};
  measure(small_request(schema::Mode::infer));
  EXPECT_FALSE(launch_.samples_seconds.empty());
  EXPECT_FALSE(launch_.step_parts) << "inference has none";
}

// Also in fp16, where the device decides about the update. Whether a launch keeps the parts depends on what
// else uses the device.
TEST_F(PreparedLaunchTest, OnCudaEventsTellTheParts) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  for (const schema::Precision precision : {schema::Precision::fp32, schema::Precision::fp16}) {
    schema::LaunchRequest request = small_request(schema::Mode::train);
    request.spec.device = "cuda";
    request.spec.precision = precision;
    const auto prepared = prepare(request, events_, launch_);
    measure::EventClock* const clock = prepared->timer.events();
    ASSERT_NE(clock, nullptr);
    prepared->step->run();
    clock->mark();
    ASSERT_TRUE(prepared->step->run_marked(*clock));
    prepared->timer.synchronize();
    const std::vector<double> parts = clock->take_seconds();
    EXPECT_EQ(parts.size(), 3U) << to_string(precision);
    for (const double seconds : parts) EXPECT_GT(seconds, 0) << to_string(precision);
  }
}

TEST_F(PreparedLaunchTest, AFedOneTimesItsFeedToo) {
  const tests::Scratch folder;
  tests::write_mnist(folder, 40, 30);
  measure(mnist_request(schema::Mode::infer, folder.root().string()));
  ASSERT_TRUE(launch_.input_times);
  EXPECT_GT(launch_.input_times->feed_seconds, 0);
}

TEST_F(PreparedLaunchTest, EpochsOfTrainingAreJudgedByWhatTheyTaught) {
  const tests::Scratch folder;
  tests::write_mnist(folder, 100, 25);
  schema::LaunchRequest request = mnist_request(schema::Mode::train, folder.root().string());
  request.spec.iterations.reset();
  request.spec.epochs = 2;
  measure(request);
  std::vector<std::string> parts;
  for (const schema::Evaluation& one : launch_.evaluations)
    parts.push_back(std::to_string(one.epoch) + " " + to_string(one.part));
  EXPECT_EQ(parts, (std::vector<std::string>{"1 train", "1 validation", "2 train", "2 validation", "2 test"}));
}

// Momentum and weight decay would change weights even if their gradients were zero.
TEST_F(PreparedLaunchTest, AFrozenBackboneHasTheSameBitsAfterwards) {
  const auto same_bits = [](const at::Tensor& one, const at::Tensor& other) {
    return one.view(at::kByte).equal(other.view(at::kByte));
  };
  using schema::Precision;
  for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16}) {
    for (const char* optimizer : {"sgd", "adam", "adamw"}) {
      schema::LaunchRequest request = small_request(schema::Mode::train);
      model::freeze_backbone(request.network_plan);
      request.spec.precision = precision;
      request.spec.optimizer = model::complete_optimizer(optimizer, {{"lr", 0.1}, {"weight_decay", 0.1}});
      const auto prepared = prepare(request, events_, launch_);
      std::vector<at::Tensor> before;
      for (const nn::NamedTensor& one : prepared->model->parameters().all())
        before.push_back(one.tensor.detach().clone());
      prepared->measure(events_, launch_);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const nn::NamedTensor& one = prepared->model->parameters().all()[i];
        EXPECT_EQ(same_bits(one.tensor.detach(), before[i]), !one.trainable) << one.name << " " << optimizer;
        EXPECT_EQ(one.trainable, !one.name.starts_with("first.")) << one.name;
      }
    }
  }
}

TEST_F(PreparedLaunchTest, ComparingFirstChangesNoBitOfTheLosses) {
  for (const char* optimizer : {"sgd", "adam"}) {
    schema::LaunchRequest request = small_request(schema::Mode::train);
    request.network_plan = tests::plan_of(
        tests::image_input(3, 8),
        nlohmann::json::array({{{"type", "conv2d"}, {"name", "conv"}, {"out_channels", 4}, {"kernel_size", 3}},
                               {{"type", "batch_norm2d"}, {"name", "norm"}},
                               {{"type", "flatten"}},
                               {{"type", "dropout"}, {"p", 0.5}},
                               {{"type", "linear"}, {"name", "last"}, {"out_features", 4}}}),
        4);
    request.spec.precision = schema::Precision::bf16;
    request.spec.optimizer = model::complete_optimizer(optimizer, {{"lr", 0.1}});
    // The length of an automatic warm-up depends on times, and so do the losses that are kept.
    request.measure.warmup = {schema::WarmupSpec::Kind::steps, 6};
    launch_ = {};
    measure(request);
    const schema::Launch without = launch_;
    launch_ = {};
    request.check_output = request.check_engine = true;
    measure(request);
    EXPECT_EQ(launch_.agreement.size(), 8U);
    EXPECT_TRUE(without.agreement.empty());
    ASSERT_GE(std::min(launch_.losses.size(), without.losses.size()), 6U);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(launch_.losses[i], without.losses[i]) << i;  // of each step
  }
}

TEST_F(PreparedLaunchTest, WritesItsFirstStepDown) {
  const tests::Scratch folder;
  schema::LaunchRequest request = small_request(schema::Mode::infer);
  request.dump_first_step = (folder / "first").string();
  measure(request);
  EXPECT_TRUE(std::filesystem::exists(folder / "first"));
}

}  // namespace
}  // namespace mpsbench::worker
