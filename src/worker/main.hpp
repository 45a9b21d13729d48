// The worker program. It reads one request from stdin, sends events on a separate file descriptor, and ends.
#pragma once

namespace mpsbench::worker {

// Returns the exit status: 0 if a last event was sent, even one that reports a failure.
int run();

}  // namespace mpsbench::worker
