// Coordinates the threads that fill a fixed number of buffers with the thread that takes them. Batches are
// assigned in order, filled in any order and taken in order. Threads that wait are asleep.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace mpsbench::pipeline {

class BatchQueue {
 public:
  struct Ticket {
    std::int64_t batch = 0;  // index within the epoch
    std::size_t buffer = 0;
  };

  explicit BatchQueue(std::size_t buffers);

  // The following functions are for the thread that takes batches.
  // Begins an epoch. Call abandon() before, except for the first epoch.
  void begin(std::int64_t batches);
  // Drops the batches that were not taken. When it returns, none is being filled.
  void abandon();
  // Waits for the next batch and throws its failure. Returns nullopt if the epoch is over.
  std::optional<Ticket> take();
  // Returns a batch that this thread may fill itself, or nullopt if no batch is left or no buffer is free.
  std::optional<Ticket> work_at_hand();
  // Allows a buffer that take() returned to be filled again. Any thread may call it.
  void give_back(std::size_t buffer);

  // The following functions are for the threads that fill batches.
  // Waits for a batch to fill. Returns nullopt if the queue was stopped.
  std::optional<Ticket> wait_for_work();
  void finish(const Ticket& ticket, std::exception_ptr failure);
  // Whether the batches being filled are no longer needed.
  [[nodiscard]] bool abandoned() const { return abandoned_; }

  // Stops the queue permanently: the filling threads end, and nothing waits any more.
  void stop();

 private:
  struct Filled {
    std::size_t buffer = 0;
    std::exception_ptr failure;
  };
  Ticket hand_out();
  [[nodiscard]] bool has_work() const { return next_ < batches_ && !free_.empty(); }

  std::mutex mutex_;
  std::condition_variable work_;  // has_work() or stopped_ may have become true
  std::condition_variable done_;  // a batch was filled, or filling_ decreased
  std::vector<std::size_t> free_;
  std::map<std::int64_t, Filled> filled_;  // by batch; filled but not taken yet
  std::int64_t batches_ = 0;
  std::int64_t next_ = 0;   // the next batch to assign
  std::int64_t taken_ = 0;  // the number of batches taken, so the index of the next
  int filling_ = 0;
  bool stopped_ = false;
  std::atomic<bool> abandoned_ = false;
};

}  // namespace mpsbench::pipeline
