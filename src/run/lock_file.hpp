// Locks that processes share through a file, also on a file system of several hosts, which may lock no
// folder.
#pragma once

#include "supervise/descriptor.hpp"

#include <filesystem>

namespace mpsbench::run {

enum class Hold { shared, exclusive };

// The end of such a file's name.
inline constexpr const char* kLockEnding = ".lock";

// Locks FILE, which this makes. The lock lasts until the returned descriptor is closed. Returns no descriptor
// if another lock, also one of this process, excludes this one. Throws Error(usage) if FILE cannot be locked.
[[nodiscard]] supervise::Descriptor try_lock(const std::filesystem::path& file, Hold how);

}  // namespace mpsbench::run
