// How far CPUs are apart. On a virtual machine that changes: the host moves virtual CPUs between its cores.
#pragma once

#include <optional>
#include <vector>

namespace mpsbench::sensor {

// Returns the seconds that a cache line takes from one of CPUS to another and back: of a few pairs, the one
// that is farthest apart. Takes about 10 ms. Returns nullopt if there are fewer than two CPUs, if other
// programs keep them busy, or if the system cannot bind threads to CPUs.
[[nodiscard]] std::optional<double> cpu_distance_seconds(const std::vector<int>& cpus);

}  // namespace mpsbench::sensor
