// How much CPU time the control groups of this process (versions 1 and 2) let it have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace mpsbench::base {

// Returns the smallest quota, in CPUs, of this process's control groups and of the groups around them;
// nullopt if there is none. ROOT is "/" except in tests.
[[nodiscard]] std::optional<double> cpu_quota(const std::filesystem::path& root);

// Returns how often these quotas have paused processes so far, summed over the groups; nullopt if there is no
// quota.
[[nodiscard]] std::optional<std::int64_t> cpu_quota_pauses(const std::filesystem::path& root);

}  // namespace mpsbench::base
