#include "worker/batches.hpp"

#include "support/errors.hpp"
#include "support/mnist_files.hpp"
#include "worker/requests.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <vector>

namespace mpsbench::worker {
namespace {

// Inference in batches of 8 over MNIST's test files.
class BatchesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    tests::write_mnist(folder_, 40, 30);
    request_ = mnist_request(schema::Mode::infer, folder_.root().string());
  }

  tests::Scratch folder_;
  schema::LaunchRequest request_;
  schema::Launch launch_;
  const device::Device cpu_ = device::Device::open("cpu");
};

TEST_F(BatchesTest, OfFilesAreFedButNotAsTheNotebookHadThem) {
  EXPECT_TRUE(is_fed(request_));
  request_.spec.as_published = true;
  EXPECT_FALSE(is_fed(request_));
  request_.spec.mode = schema::Mode::train;
  EXPECT_TRUE(is_fed(request_));
  request_.spec.mode = schema::Mode::infer;
  request_.spec.iterations.reset();  // measures an epoch over all rows instead
  EXPECT_TRUE(is_fed(request_));
}

TEST_F(BatchesTest, SyntheticOnesAreFedWhereThatIsAskedFor) {
  schema::LaunchRequest request = small_request(schema::Mode::train);
  EXPECT_FALSE(is_fed(request));
  request.spec.input = schema::Input::host;
  EXPECT_TRUE(is_fed(request));
  EXPECT_TRUE(tests::contains(
      tests::error_of(base::ErrorKind::no_device,
                      [&] { (void)fed_batches(request, resident_batch(request, cpu_, launch_), cpu_, launch_); }),
      "leave --input out"));
}

TEST_F(BatchesTest, TheNotebooksIsOfTheFirstRows) {
  request_.spec.as_published = true;
  const data::Batch batch = resident_batch(request_, cpu_, launch_);
  EXPECT_TRUE(batch.target.equal(at::arange(8)));  // row i has label i % 10
  EXPECT_EQ(batch.inputs.at(0).sizes(), (std::vector<std::int64_t>{8, 1, 28, 28}));
  EXPECT_NEAR(batch.inputs.at(0)[1].mean().item<double>(), 25 / 255.0 * 2 - 1, 1e-5);
}

TEST_F(BatchesTest, AFeedTakesTheFilesOneAfterTheOther) {
  const auto batches = fed_batches(request_, {}, cpu_, launch_);
  EXPECT_TRUE(data::take_batch(*batches).target.equal(at::arange(8)));
  EXPECT_TRUE(data::take_batch(*batches).target.equal(at::arange(8, 16) % 10));
}

TEST_F(BatchesTest, AKeptLastBatchHasTheRowsThatAreLeft) {
  for (const schema::Mode mode : {schema::Mode::train, schema::Mode::infer}) {
    schema::LaunchRequest request = mnist_request(mode, folder_.root().string());
    for (const schema::LastBatch last : {schema::LastBatch::drop, schema::LastBatch::keep}) {
      request.spec.last_batch = last;
      const auto batches = open_files(request, false, launch_);
      batches->begin_epoch();
      std::vector<std::int64_t> rows;
      while (const auto batch = batches->next()) rows.push_back(batch->target.size(0));
      std::vector<std::int64_t> expected{8, 8, 8};
      if (last == schema::LastBatch::keep) expected.push_back(6);
      EXPECT_EQ(rows, expected);
    }
  }
}

TEST_F(BatchesTest, TrainingRowsComeInTheOrderOfTheFilesIfAskedFor) {
  schema::LaunchRequest request = mnist_request(schema::Mode::train, folder_.root().string());
  const auto first = [&] { return data::take_batch(*open_files(request, false, launch_)).target; };
  EXPECT_FALSE(first().equal(at::arange(8)));
  request.spec.shuffle = schema::Shuffle::off;
  EXPECT_TRUE(first().equal(at::arange(8)));
}

}  // namespace
}  // namespace mpsbench::worker
