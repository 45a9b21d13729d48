// What the control groups of this process (versions 1 and 2) let it have: CPU time and memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace mpsbench::base {

// How much CPU time the control groups of this process (versions 1 and 2) let it have.

// Returns the smallest quota, in CPUs, of this process's control groups and of the groups around them;
// nullopt if there is none. ROOT is "/" except in tests.
[[nodiscard]] std::optional<double> cpu_quota(const std::filesystem::path& root);

// Returns how often these quotas have paused processes so far, summed over the groups; nullopt if there is no
// quota.
[[nodiscard]] std::optional<std::int64_t> cpu_quota_pauses(const std::filesystem::path& root);

// How much memory this process may still use under the limits of its control groups.

// Computes for each of this process's control groups its limit minus what it uses. Page cache that can be
// dropped immediately does not count as used. Returns the smallest of these values, or nullopt if there is no
// limit. ROOT is empty except in tests. The paths are strings because some builds of LibTorch contain their
// own std::filesystem, which conflicts with the system's.
[[nodiscard]] std::optional<std::int64_t> cgroup_free_bytes(const std::string& root = "");

}  // namespace mpsbench::base
