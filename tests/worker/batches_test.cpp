#include "worker/batches.hpp"

#include "nn/plans.hpp"
#include "support/mnist_files.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace mpsbench::worker {
namespace {

// Inference in batches of 8, over MNIST's test files.
class BatchesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    tests::write_mnist(folder_, 40, 30);
    request_.plan = testing::plan_of(
        testing::image_input(1, 28),
        nlohmann::json::array(
            {{{"type", "flatten"}}, {{"type", "linear"}, {"name", "last"}, {"out_features", 10}}}),
        8);
    request_.data_folder = folder_.root().string();
    request_.spec.mode = schema::Mode::infer;
    request_.spec.dataset = "mnist";
    request_.spec.batch_size = 8;
    request_.spec.rows = 30;
    request_.spec.iterations = 6;
  }

  tests::Scratch folder_;
  schema::LaunchRequest request_;
};

TEST_F(BatchesTest, OfFilesComeFromTheHostButAsTheNotebookHadThem) {
  EXPECT_TRUE(is_fed(request_));
  request_.spec.loop = schema::LoopProtocol::published;
  EXPECT_FALSE(is_fed(request_));
  request_.spec.mode = schema::Mode::train;
  EXPECT_TRUE(is_fed(request_));
  request_.spec.mode = schema::Mode::infer;
  request_.spec.iterations.reset();  // an epoch, over all rows
  EXPECT_TRUE(is_fed(request_));
}

TEST_F(BatchesTest, TheFirstIsOfTheFirstRows) {
  const data::Batch batch = first_batch(request_, device::Device::open("cpu"));
  EXPECT_TRUE(batch.target.equal(at::arange(8)));  // row i has the label i % 10
  EXPECT_EQ(batch.inputs.at(0).sizes(), (std::vector<std::int64_t>{8, 1, 28, 28}));
  EXPECT_NEAR(batch.inputs.at(0)[1].mean().item<double>(), 25 / 255.0 * 2 - 1, 1e-5);
}

}  // namespace
}  // namespace mpsbench::worker
