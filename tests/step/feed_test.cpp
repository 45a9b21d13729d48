#include "step/feed.hpp"

#include "base/error.hpp"
#include "device/device.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace mpsbench::step {
namespace {

TEST(Feed, IsNoQuestionOnTheCpu) {
  const data::Batch batch = data::make_synthetic_batch(tests::small_mlp(4), 1, at::kCPU);
  try {
    (void)repeat_from_host(batch, device::Device::open("cpu"));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::no_device);
  }
}

// Sums its batch and then overwrites it, so that only a fresh copy has the same sum again.
class SpoilingStep final : public measure::Step {
 public:
  explicit SpoilingStep(data::Batch& batch) : batch_(&batch) {}

  void run() override {
    sums.push_back(batch_->inputs[0].sum() + batch_->target.sum());
    batch_->inputs[0].zero_();
    batch_->target.zero_();
  }
  std::optional<double> loss() override { return sums.back().item<double>(); }

  std::vector<at::Tensor> sums;

 private:
  data::Batch* batch_;
};

// Epochs of two batches. The inputs of the batches are 1, 2, 3, ...
class CountingBatches final : public data::Batches {
 public:
  void begin_epoch() override {
    ++epochs;
    left_ = 2;
  }
  [[nodiscard]] std::optional<data::Batch> next() override {
    if (left_ == 0) return std::nullopt;
    --left_;
    return data::Batch{{at::full({4, 8}, static_cast<float>(++made_))}, at::zeros({4}, at::kLong)};
  }

  int epochs = 0;

 private:
  int made_ = 0;
  int left_ = 0;
};

class NoBatches final : public data::Batches {
 public:
  void begin_epoch() override {}
  [[nodiscard]] std::optional<data::Batch> next() override { return std::nullopt; }
};

// An endless source. The length of its rows cycles through LENGTHS.
class BatchesOfLengths final : public data::Batches {
 public:
  explicit BatchesOfLengths(std::vector<std::int64_t> lengths) : lengths_(std::move(lengths)) {}

  void begin_epoch() override {}
  [[nodiscard]] std::optional<data::Batch> next() override {
    const std::int64_t length = lengths_[made_++ % lengths_.size()];
    return data::Batch{{at::full({4, length}, static_cast<float>(made_))}, at::zeros({4}, at::kLong)};
  }

 private:
  std::vector<std::int64_t> lengths_;
  std::size_t made_ = 0;
};

void expect_sums(const SpoilingStep& step, const std::vector<int>& batches) {
  ASSERT_EQ(step.sums.size(), batches.size());
  for (std::size_t i = 0; i < batches.size(); ++i)
    EXPECT_EQ(step.sums[i].item<double>(), 32 * batches[i]) << "step " << i;
}

TEST(Feed, OfTheCpuIsReadInPlaceEpochAfterEpoch) {
  data::Batch batch = data::make_synthetic_batch(tests::small_mlp(4), 1, at::kCPU);
  auto batches = std::make_unique<CountingBatches>();
  const CountingBatches& counting = *batches;
  Feed feed(batch, std::move(batches), device::Device::open("cpu"));
  SpoilingStep resident(batch);
  FedStep fed(resident, feed);
  for (int i = 0; i < 3; ++i) fed.run();
  expect_sums(resident, {1, 2, 3});
  EXPECT_EQ(counting.epochs, 2);
  fed.begin_epoch();
  EXPECT_EQ(counting.epochs, 3);
}

TEST(Feed, SaysWhenAnEpochHasNoBatch) {
  data::Batch batch = data::make_synthetic_batch(tests::small_mlp(4), 1, at::kCPU);
  Feed feed(batch, std::make_unique<NoBatches>(), device::Device::open("cpu"));
  EXPECT_THROW(feed.run(), base::Error);
}

// Batches of 4 and of 3 rows take turns, as if each second one was the last of an epoch.
class BatchesOfRows final : public data::Batches {
 public:
  explicit BatchesOfRows(std::vector<std::int64_t> inner) : inner_(std::move(inner)) {}

  void begin_epoch() override {}
  [[nodiscard]] std::optional<data::Batch> next() override {
    std::vector<std::int64_t> shape = inner_;
    shape.insert(shape.begin(), made_ % 2 == 0 ? 4 : 3);
    return data::Batch{{at::full(shape, static_cast<float>(++made_))}, at::zeros({shape[0]}, at::kLong)};
  }

 private:
  std::vector<std::int64_t> inner_;
  int made_ = 0;
};

// Runs on CUDA, once with the capabilities of CUDA and once with those of MPS.
class FeedOnCuda : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ::setenv("MPSBENCH_DEVICE_ROW", GetParam(), 1); }
  void TearDown() override { ::unsetenv("MPSBENCH_DEVICE_ROW"); }
};

TEST_P(FeedOnCuda, BringsTheBatchForEveryStep) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const device::Device device = device::Device::open("cuda");
  data::Batch batch = data::make_synthetic_batch(tests::small_mlp(512), 1, device.torch());
  const double expected = (batch.inputs[0].sum() + batch.target.sum()).item<double>();
  Feed feed(batch, repeat_from_host(batch, device), device);
  SpoilingStep resident(batch);
  FedStep fed(resident, feed);
  for (int i = 0; i < 50; ++i) fed.run();
  for (const at::Tensor& sum : resident.sums) EXPECT_NEAR(sum.item<double>(), expected, 1e-3);
}

TEST_P(FeedOnCuda, ASmallerBatchKeepsTheOrderInMemory) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const device::Device device = device::Device::open("cuda");
  const at::Tensor images = at::ones({4, 3, 8, 8}, device.torch()).contiguous(at::MemoryFormat::ChannelsLast);
  data::Batch batch{{images}, at::zeros({4}, at::TensorOptions().dtype(at::kLong).device(device.torch()))};
  Feed feed(batch, std::make_unique<BatchesOfRows>(std::vector<std::int64_t>{3, 8, 8}), device);
  for (int i = 0; i < 6; ++i) {
    feed.run();
    const at::Tensor& input = batch.inputs[0];
    EXPECT_EQ(input.size(0), i % 2 == 0 ? 4 : 3);
    EXPECT_EQ(batch.target.size(0), input.size(0));
    EXPECT_TRUE(input.is_contiguous(at::MemoryFormat::ChannelsLast));
    EXPECT_EQ(input.min().item<float>(), static_cast<float>(i + 1));
    EXPECT_EQ(input.max().item<float>(), static_cast<float>(i + 1));
  }
}

// The resident batch has rows of length 8. Then come 3, 8, 5, ..., as for texts that are padded to the
// longest.
TEST_P(FeedOnCuda, BringsBatchesOfManyLengths) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const device::Device device = device::Device::open("cuda");
  data::Batch batch = data::make_synthetic_batch(tests::small_mlp(4), 1, device.torch());
  const void* memory = batch.inputs[0].const_data_ptr();
  const std::vector<std::int64_t> lengths{3, 8, 5, 5, 1, 8};
  Feed feed(batch, std::make_unique<BatchesOfLengths>(lengths), device);
  SpoilingStep resident(batch);
  FedStep fed(resident, feed);
  for (std::size_t i = 0; i < 20; ++i) {
    fed.run();
    EXPECT_EQ(batch.inputs[0].size(1), lengths[i % lengths.size()]);
  }
  for (std::size_t i = 0; i < 20; ++i) {
    const auto elements = static_cast<double>(4 * lengths[i % lengths.size()]);
    EXPECT_EQ(resident.sums[i].item<double>(), elements * static_cast<double>(i + 1)) << "step " << i;
  }
  EXPECT_EQ(batch.inputs[0].const_data_ptr(), memory);
}

TEST_P(FeedOnCuda, BeginsAnEpochOnce) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const device::Device device = device::Device::open("cuda");
  data::Batch batch = data::make_synthetic_batch(tests::small_mlp(4), 1, device.torch());
  auto batches = std::make_unique<CountingBatches>();
  const CountingBatches& counting = *batches;
  Feed feed(batch, std::move(batches), device);
  SpoilingStep resident(batch);
  FedStep fed(resident, feed);
  for (int i = 0; i < 2; ++i) fed.run();
  EXPECT_EQ(counting.epochs, 1);
  fed.begin_epoch();
  for (int i = 0; i < 3; ++i) fed.run();
  EXPECT_EQ(counting.epochs, 3);
  expect_sums(resident, {1, 2, 3, 4, 5});
}

INSTANTIATE_TEST_SUITE_P(Rows, FeedOnCuda, ::testing::Values("cuda", "mps"));

}  // namespace
}  // namespace mpsbench::step
