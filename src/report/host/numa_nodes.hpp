// The NUMA nodes of CPUs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace mpsbench::report {

// Returns the nodes that have any of CPUS, in rising order, from Linux's system files under ROOT. Returns
// none if the system does not tell its nodes.
[[nodiscard]] std::vector<std::int64_t> numa_nodes(const std::filesystem::path& root,
                                                   const std::vector<int>& cpus);

}  // namespace mpsbench::report
