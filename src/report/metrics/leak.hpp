// Whether a launch's live memory grew with its steps.
#pragma once

#include "schema/launch.hpp"

#include <cstdint>
#include <optional>

namespace mpsbench::report {

inline constexpr std::int64_t kLeakBytes = 1 << 20;  // growth in each of the last three quarters

// Returns the growth in bytes per step over the second half of the launch, when its allocator is warm.
// Returns nullopt if there are too few readings.
[[nodiscard]] std::optional<double> live_bytes_per_step(const schema::Launch& launch);

// Whether live memory grew by more than kLeakBytes in the second, the third and the fourth quarter. An
// allocator that is only warming up stops growing.
[[nodiscard]] bool is_leaking(const schema::Launch& launch);

}  // namespace mpsbench::report
