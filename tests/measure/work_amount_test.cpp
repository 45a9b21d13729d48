#include "measure/work_amount.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

schema::CaseSpec spec(schema::Mode mode, std::int64_t rows, std::int64_t batch) {
  schema::CaseSpec result;
  result.mode = mode;
  result.dataset = schema::Dataset::synthetic;
  result.rows = rows;
  result.batch_size = batch;
  result.epochs = 2;
  return result;
}

TEST(WorkAmount, TrainingLeavesOutThePartialBatchAndInferenceRunsIt) {
  const WorkAmount train = work_amount(spec(schema::Mode::train, 100, 32));
  EXPECT_EQ(train.steps_per_epoch, 3);
  EXPECT_EQ(train.rows_per_epoch, 96);
  EXPECT_EQ(train.epochs, 2);
  const WorkAmount infer = work_amount(spec(schema::Mode::infer, 100, 32));
  EXPECT_EQ(infer.steps_per_epoch, 4);
  EXPECT_EQ(infer.rows_per_epoch, 100);
  EXPECT_EQ(work_amount(spec(schema::Mode::infer, 96, 32)).steps_per_epoch, 3);
  schema::CaseSpec files = spec(schema::Mode::infer, 100, 32);
  files.dataset = schema::Dataset::mnist;
  EXPECT_EQ(work_amount(files).steps_per_epoch, 4);
  EXPECT_EQ(work_amount(files).rows_per_epoch, 100);
  files.mode = schema::Mode::data;
  EXPECT_EQ(work_amount(files).steps_per_epoch, 3);
}

TEST(WorkAmount, AKeptLastBatchHasTheRowsThatAreLeft) {
  for (const schema::Mode mode : {schema::Mode::train, schema::Mode::infer, schema::Mode::data}) {
    schema::CaseSpec kept = spec(mode, 1000, 32);
    kept.dataset = schema::Dataset::trec;
    kept.last_batch = schema::LastBatch::keep;
    EXPECT_EQ(work_amount(kept).steps_per_epoch, 32);
    EXPECT_EQ(work_amount(kept).rows_per_epoch, 1000);
    EXPECT_TRUE(work_amount(kept).last_is_smaller);
    kept.max_batches = 31;
    EXPECT_EQ(work_amount(kept).rows_per_epoch, 992);
    EXPECT_FALSE(work_amount(kept).last_is_smaller);
    kept.max_batches.reset();
    kept.batch_size = 8;
    EXPECT_EQ(work_amount(kept).steps_per_epoch, 125);
    EXPECT_FALSE(work_amount(kept).last_is_smaller);
  }
}

TEST(WorkAmount, MaxBatchesCutsAnEpoch) {
  schema::CaseSpec cut = spec(schema::Mode::infer, 100, 32);
  cut.max_batches = 2;
  EXPECT_EQ(work_amount(cut).steps_per_epoch, 2);
  EXPECT_EQ(work_amount(cut).rows_per_epoch, 64);
}

TEST(WorkAmount, AnEpochWithoutAStepIsAnError) {
  EXPECT_THROW(static_cast<void>(work_amount(spec(schema::Mode::train, 31, 32))), base::Error);
  EXPECT_EQ(work_amount(spec(schema::Mode::infer, 31, 32)).rows_per_epoch, 31);
  schema::CaseSpec projected = spec(schema::Mode::train, 31, 32);
  projected.epochs.reset();
  EXPECT_FALSE(work_amount(projected).epochs);
}

}  // namespace
}  // namespace mpsbench::measure
