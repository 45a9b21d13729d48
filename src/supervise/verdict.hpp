// Which status a launch has: the worker's own verdict where there is one, else what its end proves.
#pragma once

#include "schema/launch.hpp"
#include "supervise/event_receiver.hpp"
#include "supervise/worker_process.hpp"

#include <string>

namespace mpsbench::supervise {

// What the verdict rests on besides the worker's words and its end.
struct Circumstances {
  std::string worker;  // the program, for messages
  double timeout_seconds = 0;
  bool oom_kill_seen = false;  // the kernel counted an out-of-memory kill meanwhile
};

// "the worker was ended by SIGSEGV", "the worker ended with exit code 7"; empty for a clean end.
[[nodiscard]] std::string describe_end(int wait_status, const std::string& who = "the worker");

// The last line of TEXT that is not blank.
[[nodiscard]] std::string last_line(const std::string& text);

// Whether a program's stderr says that Metal gave up work of the GPU. Up to LibTorch 2.14 nothing else
// happens then: the program goes on over results that were never computed.
[[nodiscard]] bool lost_gpu_work(const std::string& stderr_tail);

// Keeps the measured part of a result whose worker ended badly afterwards; such a launch is not `ok`.
[[nodiscard]] schema::Launch conclude(const ReceivedEvents& received, const WorkerEnd& end,
                                      const Circumstances& circumstances);

}  // namespace mpsbench::supervise
