#include "input/data/file_batches.hpp"
#include "nn/plans.hpp"
#include "support/mnist_files.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace mpsbench::data {
namespace {

schema::NetworkPlan digits_plan(std::int64_t side) {
  return tests::plan_of(
      tests::image_input(1, side),
      nlohmann::json::array({{{"type", "flatten"}}, {{"type", "linear"}, {"name", "last"}, {"out_features", 10}}}), 4);
}

class ImageBatchesTest : public ::testing::Test {
 protected:
  void SetUp() override { tests::write_mnist(folder_, 40, 10); }

  // Returns the labels of an epoch and checks each image against its label.
  std::vector<std::int64_t> labels_of_an_epoch(ImageBatches& batches) {
    std::vector<std::int64_t> labels;
    batches.begin_epoch();
    while (const auto batch = batches.next()) {
      sizes_.push_back(batch->target.size(0));
      for (std::int64_t row = 0; row < batch->target.size(0); ++row) {
        const auto label = batch->target[row].item<std::int64_t>();
        labels.push_back(label);
        const float expected = static_cast<float>(label * 25) / 255.0F * 2 - 1;
        EXPECT_LT((batch->inputs[0][row] - expected).abs().max().item<float>(), 1e-5F);
      }
    }
    return labels;
  }

  [[nodiscard]] DataOptions options() const {
    return {.dataset = schema::Dataset::mnist,
            .folder = folder_.root().string(),
            .vocabulary = "",
            .batch_size = 8,
            .workers = 2};
  }

  tests::Scratch folder_;
  std::vector<std::int64_t> sizes_;
};

TEST_F(ImageBatchesTest, OfTrainingAreShuffledAndWhole) {
  ImageBatches batches(options(), digits_plan(28), DataPart::train);
  const std::vector<std::int64_t> first = labels_of_an_epoch(batches);
  EXPECT_EQ(sizes_, (std::vector<std::int64_t>{8, 8, 8, 8}));  // of 36 rows
  const std::vector<std::int64_t> second = labels_of_an_epoch(batches);
  EXPECT_NE(first, second);
  ImageBatches again(options(), digits_plan(28), DataPart::train);
  EXPECT_EQ(labels_of_an_epoch(again), first);
}

TEST_F(ImageBatchesTest, OfValidationAreTheLastTenthInOrder) {
  ImageBatches batches(options(), digits_plan(32), DataPart::validation);
  EXPECT_EQ(labels_of_an_epoch(batches), (std::vector<std::int64_t>{6, 7, 8, 9}));
}

TEST_F(ImageBatchesTest, OfTheTestFileKeepTheRestUnlessWholeOnesAreWanted) {
  ImageBatches batches(options(), digits_plan(28), DataPart::test);
  EXPECT_EQ(labels_of_an_epoch(batches).size(), 10U);
  EXPECT_EQ(sizes_, (std::vector<std::int64_t>{8, 2}));
  DataOptions whole = options();
  whole.drop_last = true;
  ImageBatches others(whole, digits_plan(28), DataPart::test);
  EXPECT_EQ(labels_of_an_epoch(others).size(), 8U);
}

TEST_F(ImageBatchesTest, HaveTargetsOfTheLogitsShapeWhereTheLossWantsThem) {
  schema::NetworkPlan plan = digits_plan(28);
  plan.target_dtype = schema::DType::float32;
  plan.target_shape = {4, 10};
  ImageBatches batches(options(), plan, DataPart::test);
  batches.begin_epoch();
  const at::Tensor target = batches.next().value().target;
  EXPECT_EQ(target.sizes(), (c10::IntArrayRef{8, 10}));
  EXPECT_EQ(target.argmax(1)[3].item<std::int64_t>(), 3);
  EXPECT_EQ(target.sum().item<double>(), 8);
}

TEST_F(ImageBatchesTest, GiveNothingBeforeAnEpochBegins) {
  ImageBatches batches(options(), digits_plan(28), DataPart::train);
  EXPECT_FALSE(batches.next().has_value());
}

}  // namespace
}  // namespace mpsbench::data
