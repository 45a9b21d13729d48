// The number of threads that a run uses by default, and the CPUs that it may use.
#pragma once

#include "suite/host.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::run {

// Returns the first number of OMP_NUM_THREADS, which may have one for each level of nesting ("4" or "4,2").
// Returns nullopt unless all are whole numbers from 1 to 4096.
[[nodiscard]] std::optional<std::int64_t> threads_of(std::string_view omp_num_threads);

// Returns those of the variables in ENVIRONMENT that are about threads and have no effect, because a run
// takes DEFAULT_THREADS or because OpenMP does not understand them: with the reason and, after "; ", what to
// do.
[[nodiscard]] std::vector<std::string> ignored_thread_variables(const std::map<std::string, std::string>& environment,
                                                                std::int64_t default_threads);

// Returns OMP_NUM_THREADS if threads_of() understands it; otherwise the number of usable cores.
[[nodiscard]] std::int64_t default_threads();

// Returns how many of the LOCAL_RANKS processes that a launcher has started on this machine share the default
// threads: 1 if each has threads or CPUs of its own.
[[nodiscard]] std::int64_t sharing_cores(std::int64_t local_ranks);

[[nodiscard]] suite::Cpus usable_cpus();

}  // namespace mpsbench::run
