// The device's command queue: a thread that runs its jobs one after another.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace mpsbench::standin {

class Queue {
 public:
  using Job = std::function<void()>;

  static Queue& instance();

  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  // Jobs that are still queued are not run.
  ~Queue();

  // Queues JOB and returns immediately, unless the queue is full: then waits.
  void push(Job job);
  // Returns when JOB and everything before it are done. Throws their first error.
  void run(Job job);
  // The device's synchronise: waits for all jobs and throws the first error since the last call. The settings
  // can make it wait for less.
  void synchronise();

 private:
  Queue();
  void work();
  std::int64_t add(Job job);
  // Waits until COUNT jobs since the start are done.
  void await(std::int64_t count);
  void throw_error();

  std::mutex mutex_;
  std::condition_variable queued_, finished_;
  std::deque<Job> jobs_;
  std::int64_t pushed_ = 0;
  std::int64_t done_ = 0;
  bool ending_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace mpsbench::standin
