// Runs programs other than the worker.
#pragma once

#include "supervise/interrupt.hpp"
#include "supervise/worker_group.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::supervise {

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
