// Which rows form which batch of an epoch.
#pragma once

#include "schema/data_source.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace mpsbench::pipeline {

// Seeded random numbers that are the same with every compiler and library, unlike those of the standard
// distributions.
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

struct BatchOrder {
  schema::RowRange rows = {};
  std::int64_t batch_size = 1;
  bool drop_last = false;  // leave out an incomplete last batch
  bool shuffle = false;    // otherwise rows come in the order of the file
  std::uint64_t seed = 0;  // for the shuffle and random crops; each epoch draws new numbers
  // Of so many processes, this one gets every ranks-th row, from its own number on. All get the same number
  // of rows: the last ones are left out with drop_last, otherwise some of the first ones come twice.
  std::int64_t rank = 0;
  std::int64_t ranks = 1;
};

// All of these are of one process.
[[nodiscard]] std::int64_t batch_count(const BatchOrder& order);

// Returns the rows of an epoch in order, batch after batch. With drop_last, rows that belong to no batch are
// left out.
[[nodiscard]] std::vector<std::int64_t> epoch_rows(const BatchOrder& order, std::int64_t epoch);

}  // namespace mpsbench::pipeline
