// Ends the worker if its front dies.
#pragma once

#include <cstdint>

namespace mpsbench::worker {

// On Linux, the kernel then kills this process when the front ends. On macOS, a thread waits for the end of
// stdin. Returns false if the front (FRONT_PID) has already ended.
[[nodiscard]] bool end_with_front(std::int64_t front_pid);

}  // namespace mpsbench::worker
