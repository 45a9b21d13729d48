// The environment of this process, and its variables that can keep OpenMP from starting.
#pragma once

#include <string>

namespace mpsbench::base {

// "NAME=VALUE" strings up to a null pointer, as execve takes them. Valid until a variable is set or unset.
[[nodiscard]] char** environment();

// Returns TEXT with those variables that are set, and that can keep threads from being made: "TEXT
// (OMP_STACKSIZE=999G); unset OMP_STACKSIZE, or CURE". Returns an empty text if none is set.
[[nodiscard]] std::string blame_openmp(const std::string& text, const std::string& cure = "");

// Throws Error(usage) if GOMP_CPU_AFFINITY is no list of CPUs: some libraries look for its end for ever.
void require_openmp_starts();

}  // namespace mpsbench::base
