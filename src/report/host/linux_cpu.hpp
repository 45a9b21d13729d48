// Reads CPU model, cores and features on Linux from /proc/cpuinfo and /sys below ROOT.
#pragma once

#include "schema/host.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::report {

// Reads the text of Linux's system files.

// Parses "KEY<separator>VALUE" lines. Removes blanks around keys and values, and quotes around values. If a
// key occurs twice, its first line counts.
[[nodiscard]] std::map<std::string, std::string> key_values(std::string_view text, char separator);

void read_linux_cpu(const std::filesystem::path& root, schema::HostInfo& host);

// Returns the number of physical cores behind these logical CPUs, or nullopt if the kernel does not report
// their cores.
[[nodiscard]] std::optional<std::int64_t> physical_cores_of(const std::filesystem::path& root,
                                                            const std::vector<int>& cpus);

// Returns the number of physical cores behind the logical CPUs ALLOWED or, if it is unknown, of these logical
// CPUs. The result is at most the CPU quota, and at least 1.
[[nodiscard]] std::int64_t usable_cores(const std::filesystem::path& root, const std::vector<int>& allowed);

}  // namespace mpsbench::report
