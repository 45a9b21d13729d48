// How a program has ended, in words, and what to do about that; and runs programs other than the worker.
#pragma once

#include "supervise/worker_group.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::supervise {

[[nodiscard]] bool was_killed_by(const WorkerEnd& end, int signal);

// Returns "the worker was killed by SIGSEGV" or "the worker ended with exit code 7"; empty for exit code 0.
[[nodiscard]] std::string describe_end(int wait_status, const std::string& who = "the worker");

// Whether a program's stderr says that Metal aborted work on the GPU. Up to LibTorch 2.14 this message is the
// only sign: the program continues with results that were never computed.
[[nodiscard]] bool lost_gpu_work(const std::string& stderr_tail);

[[nodiscard]] std::string last_line(const std::string& text);

// Returns the last line of STDERR_TAIL that is known to tell why a program ended, such as libgomp's or that
// of an uncaught exception, or an empty text.
[[nodiscard]] std::string telling_line(const std::string& stderr_tail);

// Returns the same or, if no line is known to tell it, the last one that is neither a warning nor part of a
// stack trace.
[[nodiscard]] std::string last_words(const std::string& stderr_tail);

// Returns MESSAGE with what to do, after "; ", if it names a known reason and does not say what to do yet. If
// threads cannot be made, or if a program ended IS_AT_START for no known reason, it also names the variables
// of OpenMP that may be to blame.
[[nodiscard]] std::string with_cure(const std::string& message, bool is_at_start = false);

struct ProgramEnd {
  std::string problem;      // one line; empty: it ended on its own with code 0
  std::string stderr_tail;  // the end of what it wrote to stdout and stderr
  bool is_timeout = false;
  std::string crash{};  // "PROGRAM was killed by SIGSEGV" or the like; empty unless it crashed
};

// Runs a program like a worker: in a separate process group, watched, and ended when this returns. SINK gets
// what it writes to descriptor 3. Throws Error(interrupted).
[[nodiscard]] ProgramEnd run_program(WorkerCommand command, const WorkerLimits& limits, Interrupt& interrupt,
                                     LineSink& sink);

// Runs PROGRAM in the same way and returns what it writes to descriptor 3. Throws Error(incomplete) with the
// reason (the last line of its stderr) unless it ends on its own with code 0, and Error(interrupted).
[[nodiscard]] std::string program_output(const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments, const WorkerLimits& limits,
                                         Interrupt& interrupt);

}  // namespace mpsbench::supervise
