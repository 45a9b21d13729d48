#include "input/pipeline/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <set>

namespace mpsbench::pipeline {

namespace {

TEST(SplitMix64, IsThePublishedGenerator) {
  SplitMix64 random(1234567);  // the first numbers of the reference implementation for this seed
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(SplitMix64, EachListOfNumbersHasAStreamOfItsOwn) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
      for (std::uint64_t row = 0; row < 20; ++row) first.insert(SplitMix64{seed, epoch, row}.next());
    }
  }
  EXPECT_EQ(first.size(), 8000U);
  EXPECT_EQ((SplitMix64{1, 2}.next()), (SplitMix64{1, 2}.next()));
}

TEST(SplitMix64, BelowIsUniform) {
  SplitMix64 random(5);
  std::array<int, 33> counts{};
  for (int i = 0; i < 33'000; ++i) ++counts.at(random.below(33));
  for (const int count : counts) EXPECT_NEAR(count, 1000, 160);  // five standard deviations
}

TEST(SplitMix64, BelowKeepsItsBoundsAtTheEnds) {
  SplitMix64 random(5);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(random.below(1), 0U);
    EXPECT_LT(random.below((1ULL << 63U) + 1), (1ULL << 63U) + 1);
    EXPECT_LT(random.below(std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<std::uint64_t>::max());
  }
}

using schema::DataPart;
using schema::rows_of;

std::vector<std::int64_t> counted(std::int64_t first, std::size_t count) {
  std::vector<std::int64_t> rows(count);
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

TEST(Order, CountsTheArticlesBatches) {
  EXPECT_EQ(batch_count({.rows = rows_of(DataPart::train, 50'000), .batch_size = 32, .drop_last = true}), 1'406);
  EXPECT_EQ(batch_count({.rows = rows_of(DataPart::validation, 50'000), .batch_size = 32}), 157);
  EXPECT_EQ(batch_count({.rows = {0, 10'000}, .batch_size = 32}), 313);
  EXPECT_EQ(batch_count({.rows = rows_of(DataPart::train, 60'000), .batch_size = 128, .drop_last = true}), 421);
  EXPECT_EQ(batch_count({.rows = rows_of(DataPart::validation, 60'000), .batch_size = 128}), 47);
  EXPECT_EQ(batch_count({.rows = {0, 10'000}, .batch_size = 128}), 79);
}

TEST(Order, GoesThroughTheFileInTurnUnlessShuffled) {
  EXPECT_EQ(epoch_rows({.rows = {5, 7}, .batch_size = 3}, 4), counted(5, 7));
  EXPECT_EQ(epoch_rows({.rows = {5, 7}, .batch_size = 3, .drop_last = true}, 4), counted(5, 6));
}

TEST(Order, ShufflesAllRowsAnewEachEpoch) {
  const BatchOrder order{.rows = {100, 1000}, .batch_size = 10, .shuffle = true, .seed = 3};
  const std::vector<std::int64_t> first = epoch_rows(order, 0);
  const std::vector<std::int64_t> second = epoch_rows(order, 1);
  EXPECT_EQ(first, epoch_rows(order, 0));
  EXPECT_NE(first, second);
  for (std::vector<std::int64_t> rows : {first, second}) {
    EXPECT_NE(rows, counted(100, 1000));
    std::sort(rows.begin(), rows.end());
    EXPECT_EQ(rows, counted(100, 1000));
  }
  BatchOrder other = order;
  other.seed = 4;
  EXPECT_NE(first, epoch_rows(other, 0));
}

TEST(Order, TheShuffleIsTheSameEverywhere) {
  // The expected order was computed without this code: a Fisher-Yates shuffle from the end, with SplitMix64.
  const BatchOrder order{.rows = {0, 8}, .batch_size = 8, .shuffle = true, .seed = 123};
  EXPECT_EQ(epoch_rows(order, 1), (std::vector<std::int64_t>{7, 6, 3, 5, 2, 1, 4, 0}));
}

// As PyTorch's DistributedSampler does: with 3 processes, 10 rows in turn are 0 3 6 9, 1 4 7 0 and 2 5 8 1.
TEST(Order, SharesRowsOutInTurn) {
  const auto rows_of_rank = [](std::int64_t rank, bool drop_last) {
    return epoch_rows({.rows = {0, 10}, .batch_size = 2, .drop_last = drop_last, .rank = rank, .ranks = 3}, 0);
  };
  EXPECT_EQ(rows_of_rank(0, false), (std::vector<std::int64_t>{0, 3, 6, 9}));
  EXPECT_EQ(rows_of_rank(1, false), (std::vector<std::int64_t>{1, 4, 7, 0}));
  EXPECT_EQ(rows_of_rank(2, false), (std::vector<std::int64_t>{2, 5, 8, 1}));
  EXPECT_EQ(rows_of_rank(0, true), (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(rows_of_rank(2, true), (std::vector<std::int64_t>{2, 5}));
}

TEST(Order, AllProcessesHaveTheSameNumberOfBatches) {
  for (const bool drop_last : {false, true}) {
    for (std::int64_t count = 5; count < 40; ++count) {
      BatchOrder order{.rows = {3, count}, .batch_size = 4, .drop_last = drop_last, .shuffle = true, .ranks = 3};
      std::vector<bool> seen(static_cast<std::size_t>(count));
      for (order.rank = 0; order.rank < 3; ++order.rank) {
        const std::vector<std::int64_t> rows = epoch_rows(order, 7);
        const auto size = static_cast<std::int64_t>(rows.size());
        EXPECT_EQ((size + order.batch_size - 1) / order.batch_size, batch_count(order));
        EXPECT_EQ(batch_count(order), drop_last ? count / 12 : (count + 11) / 12);
        for (const std::int64_t row : rows) seen[static_cast<std::size_t>(row - 3)] = true;
      }
      if (!drop_last) {
        EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0) << count;
      }
    }
  }
}

TEST(Order, DroppedRowsChangeWithTheShuffle) {
  const BatchOrder order{.rows = {0, 100}, .batch_size = 64, .drop_last = true, .shuffle = true};
  std::vector<bool> seen(100);
  for (std::int64_t epoch = 0; epoch < 20; ++epoch) {
    const std::vector<std::int64_t> rows = epoch_rows(order, epoch);
    EXPECT_EQ(rows.size(), 64U);
    for (const std::int64_t row : rows) seen[static_cast<std::size_t>(row)] = true;
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 100);
}

}  // namespace

}  // namespace mpsbench::pipeline
