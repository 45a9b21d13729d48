// Compares a launch with references before it is measured, because a fast but wrong answer is not a result.
#pragma once

#include "schema/launch.hpp"
#include "worker/prepared_launch.hpp"

namespace mpsbench::worker {

// Compares what the request asks for, and keeps it in LAUNCH. Throws UntrustedLaunch if something is wrong.
void compare_first(PreparedLaunch& prepared, schema::Launch& launch);

}  // namespace mpsbench::worker
