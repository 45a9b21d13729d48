// The number of threads that a run uses by default, and the CPUs that it may use.
#pragma once

#include "suite/affinity.hpp"

#include <cstdint>

namespace mpsbench::run {

// Returns OMP_NUM_THREADS if it is a whole number from 1 to 4096; otherwise the number of usable cores.
[[nodiscard]] std::int64_t default_threads();

// Returns how many of the LOCAL_RANKS processes that a launcher has started on this machine share the default
// threads: 1 if each has threads or CPUs of its own.
[[nodiscard]] std::int64_t sharing_cores(std::int64_t local_ranks);

[[nodiscard]] suite::Cpus usable_cpus();

}  // namespace mpsbench::run
