// The worker program: one request on stdin, events on their own descriptor, then the end.
#pragma once

namespace mpsbench::worker {

// Returns the exit status: 0 when a last event was sent, whatever it says.
int run();

}  // namespace mpsbench::worker
