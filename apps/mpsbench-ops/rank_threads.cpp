#include "rank_threads.hpp"

#include <c10/core/DeviceGuard.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace mpsbench::ops {

RankThreads::RankThreads(const std::vector<const device::Device*>& devices)
    : all_(static_cast<std::ptrdiff_t>(devices.size() + 1)) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  const int ranks = static_cast<int>(devices.size());
  for (int rank = 0; rank < ranks; ++rank) {
    const device::Device& device = *devices[static_cast<std::size_t>(rank)];
    threads_.emplace_back([this, &device, store, rank, ranks] { serve(device, store, rank, ranks); });
  }
  all_.arrive_and_wait();
  if (!failure_) return;
  end();
  std::rethrow_exception(failure_);
}

RankThreads::~RankThreads() {
  end();
}

void RankThreads::end() {
  task_ = nullptr;
  all_.arrive_and_wait();
  for (std::thread& thread : threads_) thread.join();
}

void RankThreads::run(const Task& task) {
  task_ = &task;
  all_.arrive_and_wait();
  all_.arrive_and_wait();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// Meets the others, which counts as the first task, and runs tasks until the end.
void RankThreads::serve(const device::Device& device, const c10::intrusive_ptr<c10d::Store>& store, int rank,
                        int ranks) {
  const c10::OptionalDeviceGuard guard(device.torch().is_cpu() ? std::nullopt : std::optional(device.torch()));
  std::unique_ptr<collective::Group> group;
  try {
    group = std::make_unique<collective::Group>(store, rank, ranks, collective::GroupOptions{.device = device.torch()});
  } catch (...) {
    keep_failure();
  }
  all_.arrive_and_wait();
  while (true) {
    all_.arrive_and_wait();
    if (task_ == nullptr) return;
    try {
      (*task_)(*group, device);
    } catch (...) {
      keep_failure();
    }
    all_.arrive_and_wait();
  }
}

void RankThreads::keep_failure() {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
}

}  // namespace mpsbench::ops
