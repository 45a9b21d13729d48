// A worker whose front dies ends itself.
#pragma once

#include <cstdint>

namespace mpsbench::worker {

// Linux: the kernel kills this process when the front ends. macOS: a thread waits for stdin's end.
// Returns false when the front (FRONT_PID) is already gone.
[[nodiscard]] bool end_with_front(std::int64_t front_pid);

}  // namespace mpsbench::worker
