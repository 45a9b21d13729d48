// Pipes that can be passed to a child process.
#pragma once

#include "base/descriptor.hpp"

namespace mpsbench::supervise {

using base::Descriptor;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

// Throws the system's ERROR of CALL, which opens a file: Error(usage) with the cure if this process may open
// no more, otherwise std::system_error.
[[noreturn]] void fail_to_open(int error, const char* call);

// Both ends are closed on exec. Their numbers are at least 10, because a child uses 0-3. Throws
// like fail_to_open().
[[nodiscard]] Pipe make_pipe();
void set_nonblocking(int fd);

// Converts a timeout for poll(). Rounds up, so that poll() does not return too early.
[[nodiscard]] int poll_milliseconds(double seconds);

}  // namespace mpsbench::supervise
