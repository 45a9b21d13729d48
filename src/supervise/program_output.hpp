// Runs a program other than the worker and returns what it writes to descriptor 3.
#pragma once

#include "supervise/interrupt.hpp"
#include "supervise/worker_group.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::supervise {

// Runs PROGRAM like a worker: in a separate process group, watched, and ended when this returns. Throws
// Error(incomplete) with the reason (the last line of its stderr) unless it ends on its own with code 0, and
// Error(interrupted).
[[nodiscard]] std::string program_output(const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments,
                                         const WorkerLimits& limits, Interrupt& interrupt);

}  // namespace mpsbench::supervise
