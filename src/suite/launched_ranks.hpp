// The processes that a launcher such as torchrun has started.
#pragma once

#include <cstdint>
#include <string>

namespace mpsbench::suite {

struct LaunchedRanks {
  std::string launcher;
  std::int64_t ranks = 1;
  std::int64_t sharing = 1;      // those that share the cores of this machine; 1: each has its own
  std::int64_t local_rank = 0;   // of this process, among those on this machine
  std::int64_t local_ranks = 1;  // on this machine
};

}  // namespace mpsbench::suite
