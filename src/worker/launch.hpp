// One launch: prepare, measure, report.
#pragma once

#include "schema/messages.hpp"
#include "worker/events.hpp"

namespace mpsbench::worker {

// Runs what REQUEST asks for and returns the last event: the launch, with all that was measured, and why if
// it failed.
[[nodiscard]] schema::Event run_launch(const schema::LaunchRequest& request, Events& events);

}  // namespace mpsbench::worker
