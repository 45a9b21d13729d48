// CPU model, cores and features on Linux, from /proc/cpuinfo and /sys below ROOT.
#pragma once

#include "schema/host.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace mpsbench::report {

void read_linux_cpu(const std::filesystem::path& root, schema::HostInfo& host);

// Physical cores behind these logical CPUs; nullopt when the kernel does not tell their cores.
[[nodiscard]] std::optional<std::int64_t> physical_cores_of(const std::filesystem::path& root,
                                                            const std::vector<int>& cpus);

// Physical cores behind the logical CPUs ALLOWED, or ALLOWED itself, cut to the CPU quota. At least 1.
[[nodiscard]] std::int64_t usable_cores(const std::filesystem::path& root, const std::vector<int>& allowed);

}  // namespace mpsbench::report
