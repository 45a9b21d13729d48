// Counters of the machine that are read before and after a launch, never during it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpsbench::supervise {

struct MachineState {
  std::optional<double> busy_cpu_seconds;  // of all processors since the machine was started
  std::int64_t oom_kills = 0;  // counted by the kernel and by our memory cgroup; 0 if there are no counters
};

[[nodiscard]] MachineState read_machine_state();

// Returns the CPU time of all processes except the worker / (wall time x logical cores), 0 ... 1. Returns
// nullopt if the system does not report it, or if the launch is too short for the counters' resolution (10
// ms).
[[nodiscard]] std::optional<double> other_cpu_share(const MachineState& before, const MachineState& after,
                                                    double worker_cpu_seconds, double wall_seconds);

// Returns the number in the line of TEXT that begins with KEY and a space ("oom_kill 3"); 0 if there is none.
[[nodiscard]] std::int64_t counter_value(std::string_view text, std::string_view key);

}  // namespace mpsbench::supervise
