// Ends the worker if its front dies.
#pragma once

#include <cstdint>

namespace mpsbench::worker {

// What else reads stdin, after the request.
enum class Input { nobody, caller };

// On Linux, the kernel then kills this process when the front ends. On macOS, a thread waits for the end of
// stdin, unless the caller does. Returns false if the front (FRONT_PID) has already ended.
[[nodiscard]] bool end_with_front(std::int64_t front_pid, Input input = Input::nobody);

// Whether a signal has stopped the front. Known on Linux only.
[[nodiscard]] bool is_front_stopped(std::int64_t front_pid);

}  // namespace mpsbench::worker
