// One launch: prepare, measure, report.
#pragma once

#include "schema/messages.hpp"
#include "worker/channel.hpp"

namespace mpsbench::worker {

// Runs what REQUEST asks for and returns the last event: the launch, or why it could not be measured.
[[nodiscard]] schema::Event run_launch(const schema::LaunchRequest& request, Channel& channel);

}  // namespace mpsbench::worker
