// The device's command queue: a thread that runs what it is given, one after the other.
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
  // Leaves what is still queued undone.
  ~Queue();

  // Returns at once, but waits while as much is queued as the settings allow.
  void push(Job job);
  // Returns when JOB, and so everything before it, is done. Throws the first error of these.
  void run(Job job);
  // What a synchronise of the device does: waits and throws the first error since the last time, or less if
  // the settings say so.
  void synchronise();

 private:
  Queue();
  void work();
  std::int64_t add(Job job);
  // Until COUNT jobs since the start are done.
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
