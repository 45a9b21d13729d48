#include "pipeline/order.hpp"

#include "pipeline/random.hpp"

#include <cstddef>
#include <numeric>
#include <utility>

namespace mpsbench::pipeline {

std::int64_t batch_count(const BatchOrder& order) {
  const std::int64_t whole = order.rows.count / order.batch_size;
  const bool rest = order.rows.count % order.batch_size != 0;
  return whole + (rest && !order.drop_last ? 1 : 0);
}

std::vector<std::int64_t> epoch_rows(const BatchOrder& order, std::int64_t epoch) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(order.rows.count));
  std::iota(rows.begin(), rows.end(), order.rows.first);
  if (order.shuffle) {  // Fisher-Yates shuffle
    SplitMix64 random{order.seed, static_cast<std::uint64_t>(epoch)};
    for (std::size_t left = rows.size(); left > 1; --left)
      std::swap(rows[left - 1], rows[random.below(left)]);
  }
  if (order.drop_last) rows.resize(static_cast<std::size_t>(batch_count(order) * order.batch_size));
  return rows;
}

}  // namespace mpsbench::pipeline
