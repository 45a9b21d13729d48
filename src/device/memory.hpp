// Memory of the worker's process: its peak, and the limit that turns exhaustion into an error instead of a
// kill.
#pragma once

#include <cstdint>
#include <optional>

namespace mpsbench::device {

// Peak resident bytes of this process so far.
[[nodiscard]] std::int64_t peak_resident_bytes();

// Lets the peak begin anew at what is resident now, where the system can (Linux).
void reset_peak_resident();

// Resident bytes that are this process's own: no code, no shared files. Nullopt if the system does not tell.
[[nodiscard]] std::optional<std::int64_t> private_bytes();

// Bytes that this process may still take: what the system and the memory cgroup have free. Nullopt if
// unknown.
[[nodiscard]] std::optional<std::int64_t> free_memory_bytes();

// Linux: RLIMIT_DATA at 90 % of what is free, and this process first in line for the out-of-memory killer.
// Elsewhere there is no such limit, and nothing is done.
void limit_memory();

}  // namespace mpsbench::device
