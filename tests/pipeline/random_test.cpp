#include "pipeline/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
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
    EXPECT_LT(random.below(std::numeric_limits<std::uint64_t>::max()),
              std::numeric_limits<std::uint64_t>::max());
  }
}

}  // namespace
}  // namespace mpsbench::pipeline
