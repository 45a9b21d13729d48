// What the memory limits of this process's control groups leave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::base {

// The least that any of the groups of this process leaves: its limit less what it uses, page cache that can
// be dropped at once not counted as used. Nullopt without a limit. ROOT is empty but in tests. Works on
// texts: a LibTorch can bring a std::filesystem of its own, which does not get along with the system's.
[[nodiscard]] std::optional<std::int64_t> cgroup_free_bytes(const std::string& root = "");

}  // namespace mpsbench::base
