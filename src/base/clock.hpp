// The host's clocks: monotonic seconds for measuring, wall-clock text for records.
#pragma once

#include <string>

namespace mpsbench::base {

// Returns the seconds on the monotonic clock, from an arbitrary origin.
[[nodiscard]] double steady_seconds();

// Returns the time in UTC, such as "2026-11-21T10:02:03Z".
[[nodiscard]] std::string utc_timestamp();

// Returns the local time in a form that suits file names: "2026-11-21T100203".
[[nodiscard]] std::string local_file_timestamp();

}  // namespace mpsbench::base
