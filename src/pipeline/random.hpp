// Seeded random numbers that are the same with every compiler and library, unlike those of the standard
// distributions.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace mpsbench::pipeline {

// SplitMix64 (Steele, Lea and Flood, 2014). It has 64 bits of state and accepts any seed.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  // A separate stream for each list of numbers, such as seed, epoch and row.
  SplitMix64(std::initializer_list<std::uint64_t> numbers);

  std::uint64_t next();

  // Returns a uniform random number from 0 to BOUND - 1. BOUND must be at least 1.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t state_ = 0;
};

}  // namespace mpsbench::pipeline
