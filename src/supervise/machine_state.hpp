// Counters of the machine that are read before and after a launch, never during it.
#pragma once

#include "base/system_files.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::supervise {

struct MachineState {
  std::optional<double> busy_cpu_seconds;  // of the CPUs since the machine was started
  std::int64_t oom_kills = 0;              // counted by the kernel, in containers, too; 0 if it has no counter
  std::size_t cpus = 0;                    // how many these are; 0: all that are online
};

// Reads the busy time of the logical CPUS, or of all if there are none.
[[nodiscard]] MachineState read_machine_state(const std::vector<int>& cpus = base::allowed_cpus());

// Returns the busy time of CPUS, in rising order, from the text of /proc/stat, which counts so many
// TICKS_PER_SECOND, or that of all CPUs if the text does not have them.
[[nodiscard]] MachineState busy_time(const std::string& stat, const std::vector<int>& cpus, double ticks_per_second);

// Returns the CPU time of all processes except the worker / (wall time x CPUs), 0 ... 1. Returns nullopt if
// the system does not report it, or if the launch is too short for the counters' resolution (10 ms).
[[nodiscard]] std::optional<double> other_cpu_share(const MachineState& before, const MachineState& after,
                                                    double worker_cpu_seconds, double wall_seconds);

// Returns the number after KEY in TEXT, which has a name and a number a line ("oom_kill 3"); 0 if there is none.
[[nodiscard]] std::int64_t counter_value(const std::string& text, std::string_view key);

}  // namespace mpsbench::supervise
