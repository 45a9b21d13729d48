#include "step/feed.hpp"

#include "nn/plans.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <vector>

namespace mpsbench::step {
namespace {

using Shape = std::vector<std::int64_t>;

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

// The inputs of batch I, from 0, have the shape SHAPE(I) and the values I + 1.
class MadeBatches final : public data::Batches {
 public:
  explicit MadeBatches(std::function<Shape(std::size_t)> shape, int per_epoch = std::numeric_limits<int>::max())
      : shape_(std::move(shape)), per_epoch_(per_epoch) {}

  void begin_epoch() override {
    ++epochs;
    left_ = per_epoch_;
  }
  [[nodiscard]] std::optional<data::Batch> next() override {
    if (left_-- <= 0) return std::nullopt;
    const Shape shape = shape_(made_);
    return data::Batch{{at::full(shape, static_cast<float>(++made_))}, at::zeros({shape[0]}, at::kLong)};
  }

  int epochs = 0;

 private:
  std::function<Shape(std::size_t)> shape_;
  int per_epoch_;
  std::size_t made_ = 0;
  int left_ = 0;
};

std::unique_ptr<MadeBatches> epochs_of(int batches) {
  return std::make_unique<MadeBatches>([](std::size_t) { return Shape{4, 8}; }, batches);
}

struct FedRig {
  FedRig(const device::Device& device, std::unique_ptr<data::Batches> batches)
      : batch(data::make_synthetic_batch(tests::small_mlp(4), 1, device.torch())),
        feed(batch, std::move(batches), device) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) fed.run();
  }
  void expect_sums(const std::vector<int>& batches) const {
    ASSERT_EQ(resident.sums.size(), batches.size());
    for (std::size_t i = 0; i < batches.size(); ++i)
      EXPECT_EQ(resident.sums[i].item<double>(), 32 * batches[i]) << "step " << i;
  }

  data::Batch batch;
  Feed feed;
  SpoilingStep resident{batch};
  FedStep fed{resident, feed};
};

TEST(Feed, OfTheCpuIsReadInPlaceEpochAfterEpoch) {
  auto batches = epochs_of(2);
  const MadeBatches& made = *batches;
  FedRig rig(device::Device::open("cpu"), std::move(batches));
  rig.run(3);
  rig.expect_sums({1, 2, 3});
  EXPECT_EQ(made.epochs, 2);
  rig.fed.begin_epoch();
  EXPECT_EQ(made.epochs, 3);
}

TEST(Feed, SaysWhatItCannotBring) {
  const device::Device cpu = device::Device::open("cpu");
  FedRig rig(cpu, epochs_of(0));
  tests::usage_error_of([&] { rig.feed.run(); });
  tests::error_of(base::ErrorKind::no_device, [&] { (void)repeat_from_host(rig.batch, cpu); });
}

// Runs on CUDA, once with the capabilities of CUDA and once with those of MPS.
class FeedOnCuda : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  }

  tests::ScopedVariable row_{"MPSBENCH_DEVICE_ROW", GetParam()};
};

TEST_P(FeedOnCuda, BringsTheBatchForEveryStep) {
  const device::Device device = device::Device::open("cuda");
  data::Batch batch = data::make_synthetic_batch(tests::small_mlp(512), 1, device.torch());
  const double expected = (batch.inputs[0].sum() + batch.target.sum()).item<double>();
  Feed feed(batch, repeat_from_host(batch, device), device);
  SpoilingStep resident(batch);
  FedStep fed(resident, feed);
  for (int i = 0; i < 50; ++i) fed.run();
  for (const at::Tensor& sum : resident.sums) EXPECT_NEAR(sum.item<double>(), expected, 1e-3);
}

// Batches of 4 and of 3 rows take turns, as if each second one was the last of an epoch.
TEST_P(FeedOnCuda, ASmallerBatchKeepsTheOrderInMemory) {
  const device::Device device = device::Device::open("cuda");
  const at::Tensor images = at::ones({4, 3, 8, 8}, device.torch()).contiguous(at::MemoryFormat::ChannelsLast);
  data::Batch batch{{images}, at::zeros({4}, at::TensorOptions().dtype(at::kLong).device(device.torch()))};
  const auto shape = [](std::size_t i) { return Shape{i % 2 == 0 ? 4 : 3, 3, 8, 8}; };
  Feed feed(batch, std::make_unique<MadeBatches>(shape), device);
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

// The resident batch has rows of length 8. Then come 3, 8, 5, ..., as for texts that are padded to the longest.
TEST_P(FeedOnCuda, BringsBatchesOfManyLengths) {
  const Shape lengths{3, 8, 5, 5, 1, 8};
  const auto shape = [&](std::size_t i) { return Shape{4, lengths[i % lengths.size()]}; };
  FedRig rig(device::Device::open("cuda"), std::make_unique<MadeBatches>(shape));
  const void* memory = rig.batch.inputs[0].const_data_ptr();
  for (std::size_t i = 0; i < 20; ++i) {
    rig.run(1);
    EXPECT_EQ(rig.batch.inputs[0].size(1), lengths[i % lengths.size()]);
  }
  for (std::size_t i = 0; i < 20; ++i) {
    const auto elements = static_cast<double>(4 * lengths[i % lengths.size()]);
    EXPECT_EQ(rig.resident.sums[i].item<double>(), elements * static_cast<double>(i + 1)) << "step " << i;
  }
  EXPECT_EQ(rig.batch.inputs[0].const_data_ptr(), memory);
}

TEST_P(FeedOnCuda, BeginsAnEpochOnce) {
  auto batches = epochs_of(2);
  const MadeBatches& made = *batches;
  FedRig rig(device::Device::open("cuda"), std::move(batches));
  rig.run(2);
  EXPECT_EQ(made.epochs, 1);
  rig.fed.begin_epoch();
  rig.run(3);
  EXPECT_EQ(made.epochs, 3);
  rig.expect_sums({1, 2, 3, 4, 5});
}

INSTANTIATE_TEST_SUITE_P(Rows, FeedOnCuda, ::testing::Values("cuda", "mps"));

}  // namespace
}  // namespace mpsbench::step
