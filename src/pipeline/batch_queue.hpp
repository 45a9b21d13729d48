// The order of work between the threads that fill a fixed number of buffers and the one that takes them:
// batches are handed out in turn, filled in any order and taken in turn. Nobody waits but asleep.
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
    std::int64_t batch = 0;  // of the epoch
    std::size_t buffer = 0;
  };

  explicit BatchQueue(std::size_t buffers);

  // The taking thread.
  void begin(std::int64_t batches);  // an epoch, after abandon() or first of all
  void abandon();                    // drops what was not taken; nothing is being filled when it returns
  std::optional<Ticket> take();      // waits for the next batch; none: the epoch is over. Throws its failure
  std::optional<Ticket> work_at_hand();  // to fill a batch itself; none: no batch left or no buffer free
  void give_back(std::size_t buffer);    // any thread: what take() gave may be filled again

  // The filling threads.
  std::optional<Ticket> wait_for_work();  // none: stopped
  void finish(const Ticket& ticket, std::exception_ptr failure);
  [[nodiscard]] bool abandoned() const { return abandoned_; }  // what is being filled is not wanted any more

  void stop();  // for good: filling threads end, none waits again

 private:
  struct Filled {
    std::size_t buffer = 0;
    std::exception_ptr failure;
  };
  Ticket hand_out();
  [[nodiscard]] bool has_work() const { return next_ < batches_ && !free_.empty(); }

  std::mutex mutex_;
  std::condition_variable work_;  // has_work() or stopped_ may have become true
  std::condition_variable done_;  // a batch was filled, or filling_ fell
  std::vector<std::size_t> free_;
  std::map<std::int64_t, Filled> filled_;  // by batch, not taken yet
  std::int64_t batches_ = 0;
  std::int64_t next_ = 0;   // to hand out
  std::int64_t taken_ = 0;  // so the next to take
  int filling_ = 0;
  bool stopped_ = false;
  std::atomic<bool> abandoned_ = false;
};

}  // namespace mpsbench::pipeline
