// How much memory this process may still use under the limits of its control groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::base {

// Computes for each of this process's control groups its limit minus what it uses. Page cache that can be
// dropped immediately does not count as used. Returns the smallest of these values, or nullopt if there is no
// limit. ROOT is empty except in tests. The paths are strings because some builds of LibTorch contain their
// own std::filesystem, which conflicts with the system's.
[[nodiscard]] std::optional<std::int64_t> cgroup_free_bytes(const std::string& root = "");

}  // namespace mpsbench::base
