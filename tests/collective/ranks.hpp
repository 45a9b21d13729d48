// Runs the ranks of a group in threads of one process.
#pragma once

#include "base/error.hpp"
#include "collective/group.hpp"

#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <chrono>
#include <future>
#include <string>
#include <vector>

namespace mpsbench::tests {

inline const collective::Patience kPatience{.meeting = std::chrono::milliseconds(10'000)};

// A rank is soon lost.
inline collective::Patience lost_after(std::chrono::milliseconds silence) {
  return {.silence = silence, .beat = std::chrono::milliseconds(50)};
}

// Returns what the error of ACTION says.
template <typename Action>
std::string words_of(Action action) {
  try {
    action();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

// Calls WORK(store, rank) once for each rank, all at the same time, and returns the results in the order of the ranks.
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
