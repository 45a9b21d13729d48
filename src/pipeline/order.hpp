// Which rows form which batch of an epoch.
#pragma once

#include "schema/data_part.hpp"

#include <cstdint>
#include <vector>

namespace mpsbench::pipeline {

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
