// The machine's counters that are read before and after a launch, never during one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpsbench::supervise {

struct MachineState {
  std::optional<double> busy_cpu_seconds;  // of all processors since the machine's start
  std::int64_t oom_kills = 0;  // the kernel's counters and our memory group's; 0 where there are none
};

[[nodiscard]] MachineState read_machine_state();

// CPU time of processes other than the worker / (wall time x logical cores), 0 ... 1. Null where the system
// does not say, and for launches so short that the counters' ticks (10 ms) would blur it.
[[nodiscard]] std::optional<double> other_cpu_share(const MachineState& before, const MachineState& after,
                                                    double worker_cpu_seconds, double wall_seconds);

// The number after KEY and a blank at a line's begin ("oom_kill 3"); 0 when there is none.
[[nodiscard]] std::int64_t counter_value(std::string_view text, std::string_view key);

}  // namespace mpsbench::supervise
