#include "input/pipeline/order.hpp"

#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace mpsbench::pipeline {

namespace {

// Returns the number of rows of each process.
std::int64_t share_of(const BatchOrder& order) {
  const std::int64_t whole = order.rows.count / order.ranks;
  return order.drop_last || order.rows.count % order.ranks == 0 ? whole : whole + 1;
}

// Returns every RANKS-th of ROWS, and goes on at their start.
std::vector<std::int64_t> shared(const std::vector<std::int64_t>& rows, const BatchOrder& order) {
  std::vector<std::int64_t> own(static_cast<std::size_t>(share_of(order)));
  auto next = static_cast<std::size_t>(order.rank);
  for (std::int64_t& row : own) {
    row = rows[next % rows.size()];
    next += static_cast<std::size_t>(order.ranks);
  }
  return own;
}

}  // namespace

SplitMix64::SplitMix64(std::initializer_list<std::uint64_t> numbers) {
  for (const std::uint64_t number : numbers) {
    state_ ^= number;
    state_ = next();
  }
}

std::uint64_t SplitMix64::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

std::uint64_t SplitMix64::below(std::uint64_t bound) {
  // Numbers after the last whole multiple of BOUND would make small results more likely, so draw again.
  const std::uint64_t end = std::numeric_limits<std::uint64_t>::max() / bound * bound;
  std::uint64_t number = next();
  while (number >= end) number = next();
  return number % bound;
}

std::int64_t batch_count(const BatchOrder& order) {
  const std::int64_t rows = share_of(order);
  const std::int64_t whole = rows / order.batch_size;
  const bool rest = rows % order.batch_size != 0;
  return whole + (rest && !order.drop_last ? 1 : 0);
}

std::vector<std::int64_t> epoch_rows(const BatchOrder& order, std::int64_t epoch) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(order.rows.count));
  std::iota(rows.begin(), rows.end(), order.rows.first);
  if (order.shuffle) {  // Fisher-Yates shuffle
    SplitMix64 random{order.seed, static_cast<std::uint64_t>(epoch)};
    for (std::size_t left = rows.size(); left > 1; --left) std::swap(rows[left - 1], rows[random.below(left)]);
  }
  if (order.ranks > 1) rows = shared(rows, order);
  if (order.drop_last) rows.resize(static_cast<std::size_t>(batch_count(order) * order.batch_size));
  return rows;
}

}  // namespace mpsbench::pipeline
