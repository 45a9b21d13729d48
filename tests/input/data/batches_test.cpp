#include "input/data/batches.hpp"

#include "support/errors.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace mpsbench::data {
namespace {

// Epochs of COUNT batches with consecutive numbers.
class NumberedBatches final : public Batches {
 public:
  explicit NumberedBatches(int count) : count_(count) {}

  void begin_epoch() override { left_ = count_; }
  [[nodiscard]] std::optional<Batch> next() override {
    if (left_ == 0) return std::nullopt;
    --left_;
    return Batch{{}, at::full({1}, ++made_)};
  }

 private:
  int count_;
  int left_ = 0;
  int made_ = 0;
};

TEST(TakeBatch, GoesOnWithAnotherEpoch) {
  NumberedBatches batches(2);
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(take_batch(batches).target.item<int>(), i);
}

TEST(TakeBatch, SaysWhenAnEpochHasNone) {
  NumberedBatches batches(0);
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)take_batch(batches); }), "fewer rows than a batch"));
}

}  // namespace
}  // namespace mpsbench::data
