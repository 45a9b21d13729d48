#include "supervise/largest_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

namespace mpsbench::supervise {
namespace {

struct FoundBatch {
  LargestBatch found;
  std::vector<std::int64_t> tried;
};

// Searches on a machine where batches up to LIMIT fit.
FoundBatch search_largest(std::int64_t first, std::int64_t most, std::int64_t limit) {
  FoundBatch result;
  result.found = find_largest_batch(first, most, [&](std::int64_t batch) {
    result.tried.push_back(batch);
    return batch <= limit;
  });
  return result;
}

TEST(LargestBatch, DoublesThenBisects) {
  const FoundBatch done = search_largest(32, 10'000, 100);
  EXPECT_EQ(done.found.fits, 100);
  EXPECT_EQ(done.found.too_large, 101);
  EXPECT_EQ(done.tried, (std::vector<std::int64_t>{32, 64, 128, 96, 112, 104, 100, 102, 101}));
}

TEST(LargestBatch, GoesDownWhenTheFirstIsTooLarge) {
  const FoundBatch done = search_largest(32, 10'000, 3);
  EXPECT_EQ(done.found.fits, 3);
  EXPECT_EQ(done.found.too_large, 4);
  EXPECT_EQ(done.tried, (std::vector<std::int64_t>{32, 16, 8, 4, 2, 3}));
}

TEST(LargestBatch, SaysWhenNotEvenOneRowFits) {
  const FoundBatch done = search_largest(8, 10'000, 0);
  EXPECT_EQ(done.found.fits, 0);
  EXPECT_EQ(done.found.too_large, 1);
}

TEST(LargestBatch, StopsAtTheMost) {
  const FoundBatch done = search_largest(32, 50, 1'000);
  EXPECT_EQ(done.found.fits, 50);
  EXPECT_EQ(done.found.too_large, std::nullopt);
  EXPECT_EQ(done.tried, (std::vector<std::int64_t>{32, 50}));
}

TEST(LargestBatch, BeginsWithinTheMost) {
  EXPECT_EQ(search_largest(128, 20, 1'000).tried, std::vector<std::int64_t>{20});
}

TEST(LargestBatch, FindsEveryLimitAndTriesNothingTwice) {
  for (std::int64_t limit = 0; limit <= 70; ++limit) {
    const FoundBatch done = search_largest(7, 64, limit);
    EXPECT_EQ(done.found.fits, std::min<std::int64_t>(limit, 64));
    EXPECT_EQ(std::set(done.tried.begin(), done.tried.end()).size(), done.tried.size()) << limit;
  }
}

TEST(LargestBatch, NeverTriesLargerThanWhatDidNotFit) {
  std::int64_t smallest_failure = 1'000'000;
  (void)find_largest_batch(1, 4096, [&](std::int64_t batch) {
    EXPECT_LT(batch, smallest_failure);
    if (batch > 777) smallest_failure = batch;
    return batch <= 777;
  });
}

TEST(LargestBatch, LetsErrorsThrough) {
  const auto fails = [](std::int64_t) -> bool { throw std::runtime_error("stop"); };
  EXPECT_THROW((void)find_largest_batch(1, 8, fails), std::runtime_error);
}

}  // namespace
}  // namespace mpsbench::supervise
