#include "supervise/best_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

namespace mpsbench::supervise {
namespace {

using Sizes = std::vector<std::int64_t>;
// Rows per second of each trial of a batch, in their order; the last one repeats. Other batches do not fit.
using Curve = std::map<std::int64_t, std::vector<double>>;

struct Search {
  BestBatch found;
  Sizes tried;
};

Search search(const Curve& curve, std::int64_t most = 1'000'000, double longest_step = 1e9,
              double half_width = 0) {
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

const Curve kPlateau{{1, {100}}, {2, {190}}, {4, {350}}, {8, {600}}, {16, {820}}, {32, {815}}, {64, {822}}};

TEST(BestBatch, StopsAfterTwoDoublingsWithoutAGain) {
  const Search done = search(kPlateau);
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 8, 16, 32, 64, 64, 16}));
  EXPECT_EQ(done.found.smallest, 16);
  EXPECT_EQ(done.found.smallest_rate, 820);
  EXPECT_EQ(done.found.fastest, 64);
  EXPECT_EQ(done.found.fastest_rate, 822);
  EXPECT_EQ(done.found.last, LastTrial::settled);
}

TEST(BestBatch, SeesAPeak) {
  const Search done = search({{1, {100}}, {2, {190}}, {4, {300}}, {8, {200}}, {16, {150}}, {32, {999}}});
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 8, 16, 4}));
  EXPECT_EQ(done.found.smallest, 4);
  EXPECT_EQ(done.found.fastest, 4);
}

TEST(BestBatch, TakesOneRowIfNothingIsFaster) {
  const Search done = search({{1, {100}}, {2, {90}}, {4, {80}}, {8, {999}}});
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 1}));
  EXPECT_EQ(done.found.smallest, 1);
}

TEST(BestBatch, CountsSmallGainsTogether) {
  const Search done =
      search({{1, {100}}, {2, {101.5}}, {4, {103}}, {8, {104.5}}, {16, {106}}, {32, {106}}, {64, {106}}});
  EXPECT_EQ(done.found.fastest, 16);
  EXPECT_EQ(done.found.smallest, 8);
}

TEST(BestBatch, GoesPastOneDoublingWithoutAGain) {
  const Search done = search({{1, {100}}, {2, {95}}, {4, {200}}, {8, {200}}, {16, {200}}});
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 8, 16, 4}));
  EXPECT_EQ(done.found.smallest, 4);
}

TEST(BestBatch, EndsWhereMemoryEnds) {
  const Search done = search({{1, {100}}, {2, {190}}, {4, {300}}});
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 8, 4}));
  EXPECT_EQ(done.found.smallest, 4);
  EXPECT_EQ(done.found.last, LastTrial::memory);
}

TEST(BestBatch, SaysWhenNotEvenOneRowFits) {
  const Search done = search({});
  EXPECT_EQ(done.tried, Sizes{1});
  EXPECT_EQ(done.found.smallest, 0);
  EXPECT_EQ(done.found.last, LastTrial::memory);
}

TEST(BestBatch, EndsWhereTheDataSetEnds) {
  const Search done = search({{1, {100}}, {2, {190}}, {4, {300}}, {8, {500}}}, 7);
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 4}));
  EXPECT_EQ(done.found.smallest, 4);
  EXPECT_EQ(done.found.last, LastTrial::rows);
  EXPECT_EQ(search({{1, {100}}}, 1).tried, Sizes{1});
  EXPECT_EQ(search(kPlateau, 8).tried, (Sizes{1, 2, 4, 8, 8}));
}

TEST(BestBatch, EndsWhereStepsTakeTooLong) {
  const Search done = search({{1, {1}}, {2, {1.5}}, {4, {2}}, {8, {2.5}}}, 1'000, 1.5);
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 4}));  // 1 s, 1.3 s, 2 s
  EXPECT_EQ(done.found.smallest, 4);
  EXPECT_EQ(done.found.last, LastTrial::time);
}

TEST(BestBatch, TriesANearTieTwice) {
  const Search worse = search({{1, {100}}, {2, {196.5, 193}}, {4, {200}}, {8, {190}}});
  EXPECT_EQ(worse.tried, (Sizes{1, 2, 4, 8, 4, 2}));
  EXPECT_EQ(worse.found.smallest, 4);  // 2 has 194.75 of 200, less than 98 %
  const Search better = search({{1, {100}}, {2, {195, 199}}, {4, {200}}, {8, {190}}, {16, {190}}});
  EXPECT_EQ(better.found.smallest, 2);
  EXPECT_EQ(better.found.smallest_rate, 197);
}

TEST(BestBatch, TriesTheFastestTwiceBeforeItDecides) {
  const Search done = search({{1, {100}}, {2, {195}}, {4, {200, 192}}, {8, {190}}, {16, {190}}});
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 8, 16, 4, 2}));
  EXPECT_EQ(done.found.smallest, 2);
  EXPECT_EQ(done.found.fastest, 4);
  EXPECT_EQ(done.found.fastest_rate, 196);
}

TEST(BestBatch, DoesNotTrustAFastestThatHadLuck) {
  const Search done = search({{1, {100}}, {2, {104, 100}}, {4, {100}}, {8, {100}}});
  EXPECT_EQ(done.tried, (Sizes{1, 2, 4, 8, 2, 1}));
  EXPECT_EQ(done.found.fastest_rate, 102);
  EXPECT_EQ(done.found.smallest, 1) << "100 is within 2 % of 102, but not of 104";
}

TEST(BestBatch, WideIntervalsMakeDoubtful) {
  const Curve curve{{1, {100}}, {2, {185}}, {4, {200}}, {8, {190}}, {16, {190}}};
  EXPECT_EQ(search(curve).tried, (Sizes{1, 2, 4, 8, 16, 4}));
  EXPECT_EQ(search(curve, 1'000, 1e9, 0.05).tried, (Sizes{1, 2, 4, 8, 16, 4, 2}));
}

TEST(BestBatch, TriesNothingMoreThanTwice) {
  const Search done = search({{1, {100}}, {2, {101}}, {4, {100}}, {8, {101}}}, 8, 1e9, 0.5);
  for (const std::int64_t batch : done.tried) EXPECT_LE(std::ranges::count(done.tried, batch), 2) << batch;
}

TEST(BestBatch, LeavesABatchThatNoLongerFits) {
  int trials = 0;
  const BestBatch found = find_best_batch(4, 1e9, [&](std::int64_t batch) -> std::optional<BatchRate> {
    if (batch == 2 && ++trials == 2) return std::nullopt;
    return BatchRate{batch == 1 ? 100.0 : batch == 2 ? 196.0 : 200.0, 0};
  });
  EXPECT_EQ(found.smallest, 4);
}

TEST(BestBatch, LetsErrorsThrough) {
  const auto fails = [](std::int64_t) -> std::optional<BatchRate> { throw std::runtime_error("stop"); };
  EXPECT_THROW((void)find_best_batch(8, 1, fails), std::runtime_error);
}

}  // namespace
}  // namespace mpsbench::supervise
