#include "supervise/best_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
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

using Sizes = std::vector<std::int64_t>;

void expect(const FoundBatch& done, std::int64_t fits, std::optional<std::int64_t> too_large, const Sizes& tried) {
  EXPECT_EQ(done.found.fits, fits);
  EXPECT_EQ(done.found.too_large, too_large);
  EXPECT_EQ(done.tried, tried);
}

TEST(LargestBatch, DoublesThenBisects) {
  expect(search_largest(32, 10'000, 100), 100, 101, {32, 64, 128, 96, 112, 104, 100, 102, 101});
  expect(search_largest(32, 10'000, 3), 3, 4, {32, 16, 8, 4, 2, 3});  // goes down
  expect(search_largest(8, 10'000, 0), 0, 1, {8, 4, 2, 1});           // not even one row fits
  expect(search_largest(32, 50, 1'000), 50, std::nullopt, {32, 50});  // stops at the most
  expect(search_largest(128, 20, 1'000), 20, std::nullopt, {20});     // begins within it
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

// Rows per second of each trial of a batch, in their order; the last one repeats. Other batches do not fit.
using Curve = std::map<std::int64_t, std::vector<double>>;

struct Search {
  BestBatch found;
  Sizes tried;
};

Search search(const Curve& curve, std::int64_t most = 1'000'000, double longest_step = 1e9, double half_width = 0) {
  Search result;
  result.found = find_best_batch(most, longest_step, [&](std::int64_t batch) -> std::optional<BatchRate> {
    const auto before = static_cast<std::size_t>(std::ranges::count(result.tried, batch));
    result.tried.push_back(batch);
    const auto rates = curve.find(batch);
    if (rates == curve.end()) return std::nullopt;
    return BatchRate{rates->second[std::min(before, rates->second.size() - 1)], half_width};
  });
  return result;
}

std::int64_t least_of(const BestBatch& found) {
  return found.tied ? found.tied->least : found.smallest;
}

std::int64_t most_of(const BestBatch& found) {
  return found.tied ? found.tied->most : found.smallest;
}

const Curve kPlateau{{1, {100}}, {2, {190}}, {4, {350}}, {8, {600}}, {16, {820}}, {32, {815}}, {64, {822}}};

void expect(const Search& done, const Sizes& tried, std::int64_t smallest, std::int64_t fastest,
            LastTrial last = LastTrial::settled) {
  EXPECT_EQ(done.tried, tried);
  EXPECT_EQ(done.found.smallest, smallest);
  EXPECT_EQ(done.found.fastest, fastest);
  EXPECT_EQ(done.found.last, last);
}

TEST(BestBatch, StopsAfterTwoDoublingsWithoutAGain) {
  const Search done = search(kPlateau);
  expect(done, {1, 2, 4, 8, 16, 32, 64, 8, 16, 32, 64}, 16, 64);
  EXPECT_EQ(done.found.smallest_rate, 820);
  EXPECT_EQ(done.found.fastest_rate, 822);
  EXPECT_FALSE(done.found.tied) << "trials tell batches apart";
  expect(search({{1, {100}}, {2, {190}}, {4, {300}}, {8, {200}}, {16, {150}}, {32, {999}}}),
         {1, 2, 4, 8, 16, 2, 4, 8, 16}, 4, 4);  // a peak
  expect(search({{1, {100}}, {2, {90}}, {4, {80}}, {8, {999}}}), {1, 2, 4, 1, 2, 4}, 1, 1);
  expect(search({{1, {100}}, {2, {95}}, {4, {200}}, {8, {200}}, {16, {200}}}), {1, 2, 4, 8, 16, 1, 4, 8, 16}, 4, 4);
  const Search small_gains =
      search({{1, {100}}, {2, {101.5}}, {4, {103}}, {8, {104.5}}, {16, {106}}, {32, {106}}, {64, {106}}});
  EXPECT_EQ(small_gains.found.fastest, 16);
  EXPECT_EQ(small_gains.found.smallest, 8);
}

TEST(BestBatch, TriesABatchAgainThatIsMuchSlowerThanASmallerOne) {
  const Search done = search({{1, {100}}, {2, {190}}, {4, {20, 30, 300}}, {8, {50, 400}}, {16, {400}}}, 16);
  EXPECT_EQ(Sizes(done.tried.begin(), done.tried.begin() + 8), (Sizes{1, 2, 4, 4, 4, 8, 8, 16}));
  EXPECT_EQ(done.found.fastest, 16);
}

TEST(BestBatch, EndsWhereMemoryTheDataSetOrTheTimeEnds) {
  expect(search({{1, {100}}, {2, {190}}, {4, {300}}}), {1, 2, 4, 8, 2, 4}, 4, 4, LastTrial::memory);
  expect(search({}), {1}, 0, 0, LastTrial::memory);
  const Curve rising{{1, {100}}, {2, {190}}, {4, {300}}, {8, {500}}};
  expect(search(rising, 7), {1, 2, 4, 2, 4}, 4, 4, LastTrial::rows);
  expect(search({{1, {100}}}, 1), {1}, 1, 1, LastTrial::rows);
  expect(search(kPlateau, 8), {1, 2, 4, 8, 4, 8}, 8, 8, LastTrial::rows);
  const Curve slow{{1, {1}}, {2, {1.5}}, {4, {2}}, {8, {2.5}}};  // 1 s, 1.3 s, 2 s
  expect(search(slow, 1'000, 1.5), {1, 2, 4, 1, 2, 4}, 4, 4, LastTrial::time);
}

TEST(BestBatch, TriesANearTieUntilItIsDecided) {
  const Search worse = search({{1, {100}}, {2, {196.5, 193, 194}}, {4, {200}}, {8, {150}}});
  EXPECT_EQ(worse.tried, (Sizes{1, 2, 4, 8, 1, 2, 4, 8, 4, 2, 4, 2, 4, 2}));
  EXPECT_EQ(worse.found.smallest, 4);
  EXPECT_FALSE(worse.found.tied);
  const Search better = search({{1, {100}}, {2, {195, 199}}, {4, {200}}, {8, {150}}, {16, {150}}});
  EXPECT_EQ(better.found.smallest, 2);
  EXPECT_FALSE(better.found.tied);
}

TEST(BestBatch, DecidesByTheMeansOfTheTrials) {
  const Search done = search({{1, {100}}, {2, {195}}, {4, {200, 192}}, {8, {150}}, {16, {150}}});
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 4, 2, 2, 4, 2}));
  EXPECT_EQ(done.found.smallest, 2);
}

TEST(BestBatch, DoesNotTrustAFastestThatHadLuck) {
  const Search done = search({{1, {100}}, {2, {104, 100}}, {4, {90}}, {8, {90}}});
  EXPECT_EQ(done.found.smallest, 1) << "100 is within 2 % of the mean, but not of 104";
}

TEST(BestBatch, GoesOnWhileWideIntervalsMayHideAGain) {
  const Curve curve{{1, {100}}, {2, {101}}, {4, {99}}, {8, {101}}, {16, {100}}, {32, {100}}};
  EXPECT_EQ(std::ranges::max(search(curve).tried), 4);
  EXPECT_EQ(std::ranges::max(search(curve, 1'000, 1e9, 0.05).tried), 16);
}

TEST(BestBatch, SaysWhichBatchesCannotBeToldApart) {
  const Search done = search({{1, {100}},
                              {2, {150, 250, 150, 250, 150, 250}},
                              {4, {250, 150, 250, 150, 250, 150}},
                              {8, {200, 205, 150, 250, 150, 250}}},
                             8);
  ASSERT_TRUE(done.found.tied);
  EXPECT_EQ(done.found.tied->least, 2);
  EXPECT_EQ(done.found.tied->most, 8);
  EXPECT_NEAR(done.found.tied->half_width, 0.35, 0.15);
  EXPECT_EQ(std::ranges::count(done.tried, 1), 1);
  for (const std::int64_t batch : {2, 4, 8}) EXPECT_EQ(std::ranges::count(done.tried, batch), 6) << batch;
}

TEST(BestBatch, TriesInTurns) {
  const Sizes tried = search({{1, {100, 80, 100, 80}}, {2, {100, 70, 100, 80}}}, 2).tried;
  ASSERT_GT(tried.size(), 6U);
  for (std::size_t i = 2; i + 1 < tried.size(); ++i) EXPECT_NE(tried[i], tried[i + 1]) << i;
}

TEST(BestBatch, TriesASlowBatchAgainIfTrialsDifferAsMuch) {
  // 2 met a slow time of the machine, as 4 does later.
  const Search done = search({{1, {50}}, {2, {120, 205}}, {4, {200, 110, 200}}, {8, {150}}, {16, {150}}});
  EXPECT_GT(std::ranges::count(done.tried, 2), 2);
  EXPECT_LE(least_of(done.found), 2);
}

// Trials that vary by SPREAD, at random, around rates that rise as they do on a CPU.
std::vector<BestBatch> searches(double spread) {
  constexpr int kSearches = 300;
  const std::map<std::int64_t, double> rates{{1, 20},    {2, 35},     {4, 55},   {8, 75},   {16, 90},   {32, 99},
                                             {64, 99.5}, {128, 99.5}, {256, 98}, {512, 97}, {1024, 96}, {2048, 96}};
  std::mt19937 random;
  std::normal_distribution<double> normal;
  std::vector<BestBatch> found;
  for (int i = 0; i < kSearches; ++i) {
    found.push_back(find_best_batch(2048, 1e9, [&](std::int64_t batch) {
      return BatchRate{rates.at(batch) * std::exp(spread * normal(random)), 0.01};
    }));
  }
  return found;
}

TEST(BestBatch, RarelyExcludesTheRightOne) {
  for (const double spread : {0.003, 0.03, 0.2}) {
    const std::vector<BestBatch> found = searches(spread);
    const auto holds =
        std::ranges::count_if(found, [](const BestBatch& one) { return least_of(one) <= 32 && most_of(one) >= 32; });
    EXPECT_GT(static_cast<double>(holds) / static_cast<double>(found.size()), 0.93) << spread;
  }
  EXPECT_GT(std::ranges::count_if(searches(0.003), [](const BestBatch& one) { return !one.tied; }), 270);
  const std::vector<BestBatch> found = searches(0.03);
  EXPECT_GT(std::ranges::count_if(found, [](const BestBatch& one) { return least_of(one) >= 16; }), 270)
      << "batches of half the rate are told apart";
}

TEST(BestBatch, LeavesABatchThatNoLongerFits) {
  int trials = 0;
  const BestBatch found = find_best_batch(4, 1e9, [&](std::int64_t batch) -> std::optional<BatchRate> {
    if (batch == 2 && ++trials == 2) return std::nullopt;
    return BatchRate{batch == 1 ? 100.0 : batch == 2 ? 196.0 : 200.0, 0};
  });
  EXPECT_EQ(found.smallest, 4);
}

}  // namespace

}  // namespace mpsbench::supervise
