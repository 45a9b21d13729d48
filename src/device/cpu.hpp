// The CPU as a device: the heap of its tensors, and the threads that its operations get.
#pragma once

#include "schema/rank.hpp"

namespace mpsbench::device {

// Settings for the C library's heap, which holds the CPU's tensors.

// Makes glibc take blocks of up to 32 MiB from the heap and keep what the main thread, which runs the steps,
// frees there. Without this, glibc also reaches the limit of 32 MiB as blocks are freed. But whether it
// returns freed memory to the system depends on which block happens to be at the heap's end. Getting the
// memory back costs page faults in every step, so equal launches differ by half. Larger blocks are still
// mapped anew each time. Does nothing if the user has set MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_ or
// GLIBC_TUNABLES to any value, and nothing with another C library.
void keep_freed_memory();

// Counts the threads that LibTorch's operations get on the CPU, which may be fewer than asked for.

// Runs one operation with all threads of at::set_num_threads(). OpenMP may give it fewer, or bind several to
// one CPU.
[[nodiscard]] schema::WorkingThreads count_working_threads();

}  // namespace mpsbench::device
