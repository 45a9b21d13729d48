// The host's clocks: monotonic seconds for measuring, wall-clock text for records.
#pragma once

#include <ctime>
#include <string>

namespace mpsbench::base {

// Returns the seconds on the monotonic clock, from an arbitrary origin.
[[nodiscard]] double steady_seconds();

// Returns for how long the machine has slept since it was started, as far as steady_seconds() stood still.
[[nodiscard]] double slept_seconds();

// Lets times_continued() count from now on.
void count_continues();

// Returns how many times SIGCONT has reached this process, which is what ends a stop by a signal.
[[nodiscard]] int times_continued();

// Names the monotonic clock: processes that read the same one get the same name. Empty if that is not known.
[[nodiscard]] std::string steady_clock_name();

// Returns the time, now unless TIME is given, in UTC, such as "2026-11-21T10:02:03Z".
[[nodiscard]] std::string utc_timestamp();
[[nodiscard]] std::string utc_timestamp(std::time_t time);

// Returns the local time in a form that suits file names: "2026-11-21T100203".
[[nodiscard]] std::string local_file_timestamp();

}  // namespace mpsbench::base
