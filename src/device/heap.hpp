// The C library's heap, from which tensors on the CPU come.
#pragma once

namespace mpsbench::device {

// With glibc (elsewhere nothing is done): blocks of up to 32 MiB come from the heap, and what the main
// thread, which runs the steps, frees there stays in this process. Left alone, glibc raises the first limit
// to the same 32 MiB as blocks are freed, but gives memory back or not by what happens to lie at the heap's
// end, and fetching it again costs page faults in every step: equal launches then differ by half. Larger
// blocks are mapped anew each time, as ever. Nothing is done where the user has set MALLOC_MMAP_THRESHOLD_,
// MALLOC_TRIM_THRESHOLD_ or GLIBC_TUNABLES, whatever their values.
void keep_freed_memory();

}  // namespace mpsbench::device
