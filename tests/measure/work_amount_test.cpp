#include "base/error.hpp"
#include "measure/loop_context.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

using schema::Dataset;
using schema::LastBatch;
using schema::Mode;

struct EpochRow {
  Mode mode;
  Dataset dataset;
  std::int64_t rows;
  std::int64_t batch_size;
  LastBatch last;
  std::optional<std::int64_t> max_batches;
  // Expected.
  std::int64_t steps;
  std::int64_t covered_rows;
  bool last_is_smaller = false;
};

schema::CaseSpec spec_of(const EpochRow& row) {
  schema::CaseSpec spec;
  spec.mode = row.mode;
  spec.dataset = row.dataset;
  spec.rows = row.rows;
  spec.batch_size = row.batch_size;
  spec.last_batch = row.last;
  spec.max_batches = row.max_batches;
  spec.epochs = 2;
  return spec;
}

TEST(WorkAmount, OfAnEpochDependsOnTheLastBatch) {
  const LastBatch usual = schema::CaseSpec{}.last_batch;
  std::vector<EpochRow> rows{{Mode::train, Dataset::synthetic, 100, 32, usual, {}, 3, 96},  // without the partial batch
                             {Mode::infer, Dataset::synthetic, 100, 32, usual, {}, 4, 100},
                             {Mode::infer, Dataset::synthetic, 96, 32, usual, {}, 3, 96},
                             {Mode::infer, Dataset::synthetic, 31, 32, usual, {}, 1, 31},
                             {Mode::infer, Dataset::synthetic, 100, 32, usual, 2, 2, 64},
                             {Mode::infer, Dataset::mnist, 100, 32, usual, {}, 4, 100},
                             {Mode::data, Dataset::mnist, 100, 32, usual, {}, 3, 96}};
  for (const Mode mode : {Mode::train, Mode::infer, Mode::data}) {
    rows.push_back({mode, Dataset::trec, 1000, 32, LastBatch::keep, {}, 32, 1000, true});
    rows.push_back({mode, Dataset::trec, 1000, 32, LastBatch::keep, 31, 31, 992});
    rows.push_back({mode, Dataset::trec, 1000, 8, LastBatch::keep, {}, 125, 1000});
  }
  for (const EpochRow& row : rows) {
    SCOPED_TRACE(to_string(row.mode) + " " + std::to_string(row.rows));
    const WorkAmount work = work_amount(spec_of(row));
    EXPECT_EQ(work.epochs, 2);
    EXPECT_EQ(work.steps_per_epoch, row.steps);
    EXPECT_EQ(work.rows_per_epoch, row.covered_rows);
    EXPECT_EQ(work.last_is_smaller, row.last_is_smaller);
  }
}

TEST(WorkAmount, AnEpochWithoutAStepIsAnError) {
  schema::CaseSpec spec = spec_of({Mode::train, Dataset::synthetic, 31, 32, {}, {}, 0, 0});
  EXPECT_THROW(static_cast<void>(work_amount(spec)), base::Error);
  spec.epochs.reset();
  EXPECT_FALSE(work_amount(spec).epochs);
}

}  // namespace
}  // namespace mpsbench::measure
