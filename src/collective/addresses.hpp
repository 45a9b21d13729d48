// Addresses of this machine.
#pragma once

#include <cstdint>
#include <string>

namespace mpsbench::collective {

// Returns the address from which this machine reaches HOST, and so the one under which HOST's network reaches
// this machine. Nothing is sent. Throws Error(usage) if HOST is unknown or cannot be reached from here.
[[nodiscard]] std::string own_address(const std::string& host, std::int64_t port);

// Opens a socket that listens on PORT of HOST, an address of this machine. The caller must close it. Throws
// Error(usage) if the port is taken or the address is another machine's.
[[nodiscard]] int listen_at(const std::string& host, std::int64_t port);

}  // namespace mpsbench::collective
