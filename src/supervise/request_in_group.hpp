// What each process of a launch gets of the launch's request.
#pragma once

#include "schema/messages.hpp"

#include <cstdint>

namespace mpsbench::supervise {

// Returns the request of RANK in the group that REQUEST names. LOCAL_RANK is its number on its machine, and
// that of its device if there are several.
[[nodiscard]] schema::LaunchRequest request_in_group(schema::LaunchRequest request, std::int64_t rank,
                                                     std::int64_t local_rank);

}  // namespace mpsbench::supervise
