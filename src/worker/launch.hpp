// Runs one launch: prepares it, measures, and reports.
#pragma once

#include "schema/messages.hpp"
#include "worker/events.hpp"

namespace mpsbench::worker {

// Runs the launch of REQUEST and returns the last event: the launch with all that was measured and, if it
// failed, the reason.
[[nodiscard]] schema::Event run_launch(const schema::LaunchRequest& request, Events& events);

}  // namespace mpsbench::worker
