// The ranks of a group in threads of this process.
#pragma once

#include "collective/group.hpp"
#include "device/device.hpp"

#include <barrier>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mpsbench::ops {

class RankThreads {
 public:
  using Task = std::function<void(collective::Group& group, const device::Device& device)>;

  // Rank i computes on DEVICES[i] and meets the others. Throws what collective::Group throws.
  explicit RankThreads(const std::vector<const device::Device*>& devices);
  ~RankThreads();
  RankThreads(const RankThreads&) = delete;
  RankThreads& operator=(const RankThreads&) = delete;

  [[nodiscard]] std::size_t size() const { return threads_.size(); }
  // Each rank runs TASK in its thread. Returns when all have; throws what one of them threw.
  void run(const Task& task);

 private:
  void serve(const device::Device& device, const c10::intrusive_ptr<c10d::Store>& store, int rank, int ranks);
  void keep_failure();
  void end();

  std::barrier<> all_;          // the ranks and the caller, at the begin and the end of a task
  const Task* task_ = nullptr;  // null: the ranks end
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;  // the last member, because they use the others
};

}  // namespace mpsbench::ops
