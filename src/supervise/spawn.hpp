// A child process with the four descriptors of a worker, in a process group of its own.
#pragma once

#include "supervise/descriptor.hpp"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::supervise {

// How a process ended and what it used, its own children included.
struct ProcessUsage {
  int wait_status = 0;
  std::int64_t peak_resident_bytes = 0;
  double cpu_seconds = 0;
};

// A running worker. Destroying it kills its group and reaps it.
class Child {
 public:
  // ENVIRONMENT: "NAME=VALUE" each, in place of ours of that name. Throws std::system_error when PROGRAM
  // cannot be started.
  explicit Child(const std::filesystem::path& program, const std::vector<std::string>& arguments = {},
                 const std::vector<std::string>& environment = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Our ends, all non-blocking. Close one to hang up.
  Descriptor request;  // its stdin
  Descriptor output;   // its stdout and stderr
  Descriptor events;   // its descriptor 3
  // Readable when the process has ended.
  [[nodiscard]] int exit_descriptor() const { return exit_.get(); }

  // To the whole group; nothing once it is reaped.
  void signal_group(int number) const;
  // Waits for the end, kills what is left of the group and reaps. Call once.
  ProcessUsage reap();

 private:
  pid_t pid_ = -1;
  Descriptor exit_;
};

}  // namespace mpsbench::supervise
