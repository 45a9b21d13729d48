// Decides the status of a launch: the worker's own verdict if there is one; otherwise from how the worker
// ended.
#pragma once

#include "schema/launch.hpp"
#include "supervise/event_receiver.hpp"
#include "supervise/worker_process.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::supervise {

// The kind of failure of a worker that was stopped because another rank had failed.
inline constexpr const char* kPeerFailure = "peer";

// What the verdict depends on, apart from the worker's events and its end.
struct Circumstances {
  std::string worker;  // the program, for messages
  double timeout_seconds = 0;
  bool oom_kill_seen = false;      // the kernel counted an out-of-memory kill during the launch
  std::int64_t least_samples = 1;  // that a launch needs if it is cut short
};

// Returns "the worker was killed by SIGSEGV" or "the worker ended with exit code 7"; empty for exit code 0.
[[nodiscard]] std::string describe_end(int wait_status, const std::string& who = "the worker");

// Whether a program's stderr says that Metal aborted work on the GPU. Up to LibTorch 2.14 this message is the
// only sign: the program continues with results that were never computed.
[[nodiscard]] bool lost_gpu_work(const std::string& stderr_tail);

// Makes the launch's record. If a worker fails, what it has measured is kept, but the launch is not `ok`.
[[nodiscard]] schema::Launch conclude(const ReceivedEvents& received, const WorkerEnd& end,
                                      const Circumstances& circumstances);

// Decides the status of a launch that several workers ran together.

// What is known of one rank after its end.
struct RankEnd {
  schema::DeviceId device;
  ReceivedEvents received;
  WorkerEnd end;
};

// Returns rank 0's record. With several RANKS, the record also says what each measured and how it ended, and
// its status is that of the first rank that failed (the lower number if two failed at the same time). A rank
// that was stopped because another failed does not count as failed.
[[nodiscard]] schema::Launch conclude_group(const std::vector<RankEnd>& ranks, const Circumstances& circumstances);

}  // namespace mpsbench::supervise
