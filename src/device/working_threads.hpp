// Counts the threads that LibTorch's operations get on the CPU, which may be fewer than asked for.
#pragma once

#include "schema/working_threads.hpp"

namespace mpsbench::device {

// Runs one operation with all threads of at::set_num_threads(). OpenMP may give it fewer, or bind several to
// one CPU.
[[nodiscard]] schema::WorkingThreads count_working_threads();

}  // namespace mpsbench::device
