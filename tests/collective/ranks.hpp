// Runs the ranks of a group in threads of one process.
#pragma once

#include "collective/group.hpp"

#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <chrono>
#include <future>
#include <vector>

namespace mpsbench::tests {

inline const collective::RingPatience kPatience{.meeting = std::chrono::milliseconds(10'000)};

// Calls WORK(store, rank) once for each rank, all at the same time, and returns the results in the order of
// the ranks.
template <typename Work>
auto run_threads(int ranks, Work work) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  std::vector<std::future<decltype(work(store, 0))>> running;
  for (int rank = 0; rank < ranks; ++rank)
    running.push_back(std::async(std::launch::async, [=] { return work(store, rank); }));
  std::vector<decltype(work(store, 0))> results;
  for (auto& one : running) results.push_back(one.get());
  return results;
}

// The same with a group: calls WORK(group).
template <typename Work>
auto run_groups(int ranks, Work work) {
  return run_threads(ranks, [=](const c10::intrusive_ptr<c10d::Store>& store, int rank) {
    collective::Group group(store, rank, ranks, {.patience = kPatience});
    return work(group);
  });
}

}  // namespace mpsbench::tests
