// Addresses of this machine, and texts as a c10d store keeps them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::collective {

// Addresses of this machine.

// Returns the address from which this machine reaches HOST, and so the one under which HOST's network reaches
// this machine. Nothing is sent. Throws Error(usage) if HOST is unknown or cannot be reached from here.
[[nodiscard]] std::string own_address(const std::string& host, std::int64_t port);

// Opens a socket that listens on PORT of HOST, an address of this machine. The caller must close it. Throws
// Error(usage) if the port is taken or the address is another machine's.
[[nodiscard]] int listen_at(const std::string& host, std::int64_t port);

// Texts as a c10d store keeps them.
inline std::vector<std::uint8_t> as_bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

inline std::string as_text(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace mpsbench::collective
