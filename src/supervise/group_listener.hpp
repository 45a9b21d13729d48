// The socket on which rank 0 of a launch waits for the others, on this host.
#pragma once

#include "supervise/descriptor.hpp"

#include <cstdint>

namespace mpsbench::supervise {

inline constexpr const char* kGroupAddress = "127.0.0.1";

struct GroupListener {
  Descriptor socket;
  std::int64_t port = 0;  // free ports are the system's choice
};

// The socket is closed on exec, and its number is at least 10. Throws std::system_error.
[[nodiscard]] GroupListener listen_for_group();

}  // namespace mpsbench::supervise
