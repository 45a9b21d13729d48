// What each process of a launch gets of the launch's request.
#pragma once

#include "schema/messages.hpp"

#include <cstdint>

namespace mpsbench::supervise {

// Returns the request of RANK, which runs on DEVICE, in the group that REQUEST names.
[[nodiscard]] schema::LaunchRequest request_in_group(schema::LaunchRequest request, std::int64_t rank,
                                                     const schema::DeviceId& device);

}  // namespace mpsbench::supervise
