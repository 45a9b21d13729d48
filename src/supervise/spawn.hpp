// A child process with a worker's descriptors, in a separate process group.
#pragma once

#include "supervise/descriptor.hpp"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace mpsbench::supervise {

// How a process ended, and what it and its children used.
struct ProcessUsage {
  int wait_status = 0;
  std::int64_t peak_resident_bytes = 0;
  double cpu_seconds = 0;
};

// A running worker. Destroying it kills its group and reaps it.
class Child {
 public:
  // ENVIRONMENT has entries "NAME=VALUE", which replace our variables of the same name. A program of the
  // Python package also gets those that it needs to find its libraries. The program may use
  // only the logical CPUS, or the same as this process if there are none. It gets the socket LISTENER, unless
  // that is -1, as its descriptor schema::kGroupDescriptor. Throws std::system_error if PROGRAM cannot be
  // started, or like make_pipe().
  explicit Child(const std::filesystem::path& program, const std::vector<std::string>& arguments = {},
                 const std::vector<std::string>& environment = {}, const std::vector<int>& cpus = {},
                 int listener = -1);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }

  // Our ends of the pipes, all non-blocking. Close one to end its connection.
  Descriptor request;  // its stdin
  Descriptor output;   // its stdout and stderr
  Descriptor events;   // its descriptor 3
  // Returns a descriptor that becomes readable when the process has ended.
  [[nodiscard]] int exit_descriptor() const { return exit_.get(); }

  // Asks the system for news of signals such as SIGSTOP and SIGCONT. Returns whether the process was stopped
  // at any time since the last call. Do not call this after reap().
  bool follow_stops();
  // Whether the last news were that a signal has stopped it.
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }

  // Sends signal NUMBER to the whole group. Does nothing after reap().
  void signal_group(int number) const;
  // Waits for the process to end, kills the rest of its group and reaps it. Call this once.
  ProcessUsage reap();

 private:
  pid_t pid_ = -1;
  Descriptor exit_;
  bool is_stopped_ = false;
  std::thread waiter_;  // closes the other end of exit_ where the system has nothing better
};

}  // namespace mpsbench::supervise
