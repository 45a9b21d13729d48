#include "worker/preparation.hpp"

#include "support/errors.hpp"
#include "support/mnist_files.hpp"
#include "worker/requests.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace mpsbench::worker {
namespace {

class PreparationTest : public ::testing::Test {
 protected:
  std::unique_ptr<PreparedLaunch> prepare() { return Preparation(request_, events_, launch_).run(); }

  schema::LaunchRequest request_ = small_request(schema::Mode::train);
  RecordedEvents events_;
  schema::Launch launch_;
};

TEST_F(PreparationTest, GoesThroughItsPhasesAndTimesThem) {
  const auto prepared = prepare();
  EXPECT_EQ(events_.phases, (std::vector{schema::Phase::device, schema::Phase::model, schema::Phase::data}));
  ASSERT_TRUE(launch_.setup_seconds);
  EXPECT_GT(launch_.setup_seconds->model, 0);
  EXPECT_EQ(launch_.backend.at("autocast"), "off");
  EXPECT_FALSE(launch_.self_test);  // the CPU is not asynchronous
  EXPECT_EQ(prepared->feed, nullptr);
}

TEST_F(PreparationTest, OfTrainingHasAStepThatLearns) {
  const auto prepared = prepare();
  EXPECT_TRUE(prepared->model->training());
  prepared->step->run();
  const double first = prepared->step->loss().value();
  for (int i = 0; i < 50; ++i) prepared->step->run();
  EXPECT_LT(prepared->step->loss().value(), first);
}

TEST_F(PreparationTest, OfInferenceWantsNoGradients) {
  request_ = small_request(schema::Mode::infer);
  const auto prepared = prepare();
  EXPECT_FALSE(prepared->model->training());
  for (const nn::NamedTensor& one : prepared->model->parameters().all())
    EXPECT_FALSE(one.tensor.requires_grad()) << one.name;
  prepared->step->run();
  EXPECT_FALSE(prepared->step->loss());
}

TEST_F(PreparationTest, OfTheNotebooksForwardWantsThem) {
  request_ = small_request(schema::Mode::infer);
  request_.spec.loop = schema::LoopProtocol::published;
  const auto prepared = prepare();
  EXPECT_TRUE(prepared->model->parameters().all().front().tensor.requires_grad());
}

TEST_F(PreparationTest, OfADataSetHasAFeed) {
  const tests::Scratch folder;
  tests::write_mnist(folder, 40, 30);
  request_ = mnist_request(schema::Mode::infer, folder.root().string());
  const auto prepared = prepare();
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
  const auto prepared = prepare();
  const auto order = at::MemoryFormat::ChannelsLast;
  EXPECT_TRUE(prepared->model->parameters().all().front().tensor.is_contiguous(order));
  EXPECT_TRUE(prepared->batch.inputs.front().is_contiguous(order));
}

TEST_F(PreparationTest, RefusesWhatTheDeviceCannotDo) {
  request_.spec.engine = schema::Engine::graph;
  EXPECT_TRUE(tests::contains(tests::error_of(base::ErrorKind::no_device, [&] { (void)prepare(); }),
                              "which cpu does not have; use --engine eager"));
  request_.spec.engine = schema::Engine::eager;
  request_.spec.precision = schema::Precision::tf32;
  EXPECT_TRUE(tests::contains(tests::error_of(base::ErrorKind::no_device, [&] { (void)prepare(); }),
                              "only NVIDIA's GPUs compute in tf32"));
}

}  // namespace
}  // namespace mpsbench::worker
