// Which rows make which batch of an epoch.
#pragma once

#include "schema/data_part.hpp"

#include <cstdint>
#include <vector>

namespace mpsbench::pipeline {

struct BatchOrder {
  schema::RowRange rows = {};
  std::int64_t batch_size = 1;
  bool drop_last = false;  // leave out a last batch that is not full
  bool shuffle = false;    // else in the file's order
  std::uint64_t seed = 0;  // of the shuffle and of random crops; each epoch draws anew
};

[[nodiscard]] std::int64_t batch_count(const BatchOrder& order);

// The rows of an epoch in turn, batch after batch; with drop_last without those that no batch takes.
[[nodiscard]] std::vector<std::int64_t> epoch_rows(const BatchOrder& order, std::int64_t epoch);

}  // namespace mpsbench::pipeline
