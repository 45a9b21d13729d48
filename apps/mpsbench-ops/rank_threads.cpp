#include "rank_threads.hpp"

#include <c10/core/DeviceGuard.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <memory>
#include <utility>

namespace mpsbench::ops {

RankThreads::RankThreads(const std::vector<const device::Device*>& devices) : working_(devices.size()) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  const int ranks = static_cast<int>(devices.size());
  for (int rank = 0; rank < ranks; ++rank) {
    const device::Device& device = *devices[static_cast<std::size_t>(rank)];
    threads_.emplace_back([this, &device, store, rank, ranks] { serve(device, store, rank, ranks); });
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return working_ == 0; });
  if (!failure_) return;
  is_ending_ = true;
  lock.unlock();
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  std::rethrow_exception(failure_);
}

RankThreads::~RankThreads() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void RankThreads::run(const Task& task) {
  std::unique_lock lock(mutex_);
  task_ = &task;
  ++number_;
  working_ = threads_.size();
  changed_.notify_all();
  changed_.wait(lock, [this] { return working_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// Meets the others, which counts as the first task, and runs tasks until the end.
void RankThreads::serve(const device::Device& device, const c10::intrusive_ptr<c10d::Store>& store, int rank,
                        int ranks) {
  const c10::OptionalDeviceGuard guard(device.torch().is_cpu() ? std::nullopt : std::optional(device.torch()));
  std::unique_ptr<collective::Group> group;
  const auto keep_failure = [this] {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  };
  try {
    group = std::make_unique<collective::Group>(store, rank, ranks, collective::GroupOptions{.device = device.torch()});
  } catch (...) {
    keep_failure();
  }
  finish_task();
  for (std::uint64_t done = 0;; ++done) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_ending_ || number_ > done; });
      if (is_ending_) return;
    }
    try {
      (*task_)(*group, device);
    } catch (...) {
      keep_failure();
    }
    finish_task();
  }
}

void RankThreads::finish_task() {
  const std::lock_guard lock(mutex_);
  if (--working_ == 0) changed_.notify_all();
}

}  // namespace mpsbench::ops
