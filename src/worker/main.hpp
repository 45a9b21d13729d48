// The worker program. It reads one request from stdin, sends events on a separate file descriptor, and ends.
#pragma once

#include "schema/device_status.hpp"
#include "schema/messages.hpp"
#include "worker/front.hpp"

#include <vector>

namespace mpsbench::worker {

// Returns the exit status: 0 if a last event was sent, even one that reports a failure.
int run();

// Returns all devices here. Each lists the engines, with the reason if it cannot run one.
[[nodiscard]] std::vector<schema::DeviceStatus> probe();

// Runs the launch of REQUEST and returns the last event: the launch with all that was measured and, if it
// failed, the reason.
[[nodiscard]] schema::ResultEvent run_launch(const schema::LaunchRequest& request, Events& events);

}  // namespace mpsbench::worker
