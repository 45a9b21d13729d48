// Threads that a run uses when nobody says.
#pragma once

#include <cstdint>

namespace mpsbench::run {

// OMP_NUM_THREADS if it is a whole number, else the usable cores.
[[nodiscard]] std::int64_t default_threads();

}  // namespace mpsbench::run
