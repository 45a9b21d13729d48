// One worker process from its start to its end: fed, watched, stopped when it must be, and reaped, with its
// group.
#pragma once

#include "supervise/interrupt.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::supervise {

struct WorkerLimits {
  double timeout_seconds = 0;
  double kill_grace_seconds = 2;  // from SIGTERM to SIGKILL
};

// Takes the worker's event lines as they come.
class LineSink {
 public:
  LineSink() = default;
  virtual ~LineSink() = default;
  LineSink(const LineSink&) = delete;
  LineSink& operator=(const LineSink&) = delete;

  // LINE without its line break. False: the worker talks nonsense, stop it.
  virtual bool on_line(const std::string& line) = 0;
  // A line grew past the limit and was thrown away; the worker is stopped.
  virtual void on_line_too_long() = 0;
  // About once a second as long as the worker runs.
  virtual void on_tick() {}
};

// Why the front ended the worker.
enum class Stop { none, timeout, interrupted, refused };

struct WorkerEnd {
  std::string spawn_error;  // the system's reason; empty when the worker ran
  Stop stop = Stop::none;
  int wait_status = 0;      // as wait4() gave it
  bool half_line = false;   // the last event had no end
  std::string stderr_tail;  // at most 8 KiB
  std::int64_t peak_resident_bytes = 0;
  double cpu_seconds = 0;
};

// Starts PROGRAM in a process group of its own with descriptors 0-3 only (request in, stdout and stderr to
// one pipe, events on 3), writes REQUEST_LINE and sleeps in the kernel until it ends or has to be ended.
// Nothing of its group is left when this returns. Call it in the main thread: workers die with the thread
// that started them. INTERRUPT may be null: signals then have their usual effect.
[[nodiscard]] WorkerEnd run_worker(const std::filesystem::path& program, const std::string& request_line,
                                   const WorkerLimits& limits, LineSink& sink, Interrupt* interrupt,
                                   const std::vector<std::string>& arguments = {});

}  // namespace mpsbench::supervise
