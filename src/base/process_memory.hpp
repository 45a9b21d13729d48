// Memory of this process: its peak, and a limit. With the limit, running out of memory is an error instead of
// a kill.
#pragma once

#include <cstdint>
#include <optional>

namespace mpsbench::base {

// Returns the peak resident bytes of this process so far.
[[nodiscard]] std::int64_t peak_resident_bytes();

// Resets the peak to what is resident now, if the system can do so (Linux). First returns freed memory to it.
void reset_peak_resident();

// Returns the resident bytes of this process alone, without code and shared files. Returns nullopt if the
// system does not report them.
[[nodiscard]] std::optional<std::int64_t> private_bytes();

// Returns the bytes that this process may still take: the lower of what the system and the memory cgroup have
// free. Returns nullopt if unknown.
[[nodiscard]] std::optional<std::int64_t> free_memory_bytes();

// On Linux, sets RLIMIT_DATA to 90 % of the free memory, divided by the number of PROCESSES that share it,
// and makes the out-of-memory killer choose this process first. Does nothing on other systems, which have no
// such limit.
void limit_memory(std::int64_t processes = 1);

}  // namespace mpsbench::base
