// What a program other than the worker says on descriptor 3, from its start to its end.
#pragma once

#include "supervise/interrupt.hpp"
#include "supervise/worker_group.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::supervise {

// Runs PROGRAM as a worker is run: in a group of its own, watched, and gone when this returns. Throws
// Error(incomplete) with the reason (the last line of its stderr) unless it ended by itself with code 0, and
// Error(interrupted).
[[nodiscard]] std::string program_output(const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments,
                                         const WorkerLimits& limits, Interrupt& interrupt);

}  // namespace mpsbench::supervise
